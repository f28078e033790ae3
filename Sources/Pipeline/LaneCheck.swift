import Base
import Campaign
import Providers
import Store

/// One lane as a pre-flight found it.
struct LaneCheck: Sendable {
  let channelID: Int64
  let name: String
  let provider: String
  /// Recipients of the whole lane; those examined may be a sample.
  var recipients: Int64 = 0
  var tally = LaneTally()
  /// Messages that the whole lane would send, by what was examined of it.
  var expected: Int64 {
    guard tally.examined > 0 else { return 0 }
    return Int64((Double(recipients) * Double(tally.sendable) / Double(tally.examined)).rounded())
  }
  /// Bytes one message's body may have.
  var limit: Int?
  /// Seconds that sending takes at the set pace; nil = as fast as the provider answers.
  var seconds: Double?
  /// Why nothing of the lane can be sent, one line each.
  var refusals: [RunError] = []
  /// What else people should know.
  var warnings: [String] = []
  /// What the provider said, with `--online`.
  var online: [String] = []

  init(_ channel: Channel) {
    channelID = channel.id
    name = channel.name
    provider = channel.provider
    if !channel.isEnabled { warnings.append("the channel is switched off: nothing is sent until enabled is true") }
  }

  /// Whether something of it would be refused.
  var isRefused: Bool { !refusals.isEmpty || !tally.rejected.isEmpty }
}

extension PreparedLane {
  /// Seconds for so many messages at the pace of the settings, of the provider's rules where these say nothing; nil =
  /// as fast as it answers.
  func seconds(for messages: Int64) -> Double? {
    let rate = channel.settings.rate ?? adapter.pace.rate
    let perUnit = adapter.pace.unit == .requests ? Int64(adapter.messagesPerRequest) : 1
    let units = Double((messages + perUnit - 1) / perUnit)
    guard let full = rate ?? adapter.pace.rampTarget else { return nil }
    return Self.seconds(
      for: units, rate: full, ramp: channel.settings.rampSeconds ?? adapter.pace.ramp,
      start: rate == nil ? PaceState.rampStartToLimit : PaceState.rampStart)
  }

  /// The time in which a ramp yields so many units: flat at its start, then rising with the time that has passed.
  static func seconds(for units: Double, rate: Double, ramp: Double, start: Double) -> Double {
    guard ramp > 0 else { return units / rate }
    let flat = rate * start * start * ramp
    if units <= flat { return units / (rate * start) }
    // Behind the flat part, t seconds yield rate × t² / 2 ramp, less what a rise from 0 would have yielded in it.
    let risen = flat + rate * ramp * (1 - start * start) / 2
    if units >= risen { return ramp + (units - risen) / rate }
    return (2 * ramp * (units - flat) / rate + start * start * ramp * ramp).squareRoot()
  }
}
