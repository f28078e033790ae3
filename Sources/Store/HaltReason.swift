public import Base
public import Campaign

/// Why nothing new may be sent.
public enum HaltReason: Sendable, Equatable {
  case launch(LaunchState)
  case laneStopped(String?)
  case lanePaused
  case cooling(until: EpochMilliseconds)
  /// Somebody disabled the account or the channel; the words say which.
  case switchedOff(String)
  /// The chunk's recipients have quiet hours: it waits in the database, and nothing else of the lane does.
  case quiet

  /// Joins a launch `l` and its lane `n` to what can be switched off.
  static let switches = """
    join salvo.campaign m on m.id = l.campaign_id
    join salvo.account a on a.id = m.account_id
    join salvo.channel h on h.id = n.channel_id
    """
  /// Null unless something is.
  static let switchedOff = """
    case when not a.enabled then 'account ' || a.id || ' is disabled'
      when not h.enabled then 'channel ' || h.id || ' is disabled' end
    """

  /// What the rows of launch and lane say; nil when both run and nothing is switched off.
  init?(launch: String?, lane: String?, stopReason: String?, switchedOff: String?) {
    // A state that this version doesn't know halts as well.
    let launch = launch.flatMap(LaunchState.init(rawValue:)) ?? .failed
    guard launch == .running else {
      self = .launch(launch)
      return
    }
    switch lane.flatMap(LaneRecord.State.init(rawValue:)) {
    case .running:
      guard let switchedOff else { return nil }
      self = .switchedOff(switchedOff)
    case .paused: self = .lanePaused
    case .stopped, .done, nil: self = .laneStopped(stopReason)
    }
  }
}
