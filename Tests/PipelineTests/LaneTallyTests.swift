import Campaign
import Testing

@testable import Pipeline

@Suite("LaneTally")
struct LaneTallyTests {
  private func key(_ profile: Int64) -> RecipientKey { RecipientKey(profileID: profile, subscriptionID: 10 * profile) }

  @Test("parts merged in either order come to the same, with the lowest key as example")
  func merging() {
    var first = LaneTally()
    first.accept(key(5), bytes: 300)
    first.reject(key(6), reason: "missing_value", detail: "content.title names .Profile.name")
    first.skip("duplicate")
    var second = LaneTally()
    second.accept(key(2), bytes: 300)
    second.accept(key(3), bytes: 900)
    second.reject(key(1), reason: "missing_value", detail: "content.body names .Vars.code")
    second.skip("retired")
    var one = first
    one.merge(second)
    var other = second
    other.merge(first)
    #expect(one == other)
    #expect(one.examined == 7)
    #expect(one.sendable == 3)
    #expect(one.skipped == ["duplicate": 1, "retired": 1])
    #expect(one.rejected["missing_value"]?.count == 2)
    #expect(one.rejected["missing_value"]?.example == key(1))
    #expect(one.rejected["missing_value"]?.detail == "content.body names .Vars.code")
    #expect(
      one.missing.mapValues(\.count) == ["content.title names .Profile.name": 1, "content.body names .Vars.code": 1])
    #expect(one.sizes.smallest == BodySizes.Body(bytes: 300, key: key(2)))
    #expect(one.sizes.largest == BodySizes.Body(bytes: 900, key: key(3)))
    #expect(one.sizes.median == 300)
  }

  @Test("words with a recipient's values in them don't fill the memory")
  func bounded() {
    var tally = LaneTally()
    for profile in 1...1_000 { tally.problem("words \(profile)", key(Int64(profile))) }
    #expect(tally.problems.count == 51)
    #expect(tally.problems["others"]?.count == 950)
  }

  @Test("the median is the middle one's; of an even number the lower")
  func median() {
    var sizes = BodySizes()
    #expect(sizes.median == nil)
    for (profile, bytes) in [(1, 40), (2, 10), (3, 30), (4, 20)] { sizes.add(bytes, of: key(Int64(profile))) }
    #expect(sizes.median == 20)
    sizes.add(20_000, of: key(5))
    #expect(sizes.median == 30)
    #expect(sizes.largest?.bytes == 20_000)
  }

  @Test("a ramp from half to 10,000 a second over a minute yields 375,000 messages in it")
  func ramp() {
    func seconds(_ units: Double) -> Double {
      PreparedLane.seconds(for: units, rate: 10_000, ramp: 60, start: 0.5)
    }
    // Half a minute at 5,000, then rising: 7,500 on average.
    #expect(seconds(50_000) == 10)
    #expect(seconds(150_000) == 30)
    #expect(abs(seconds(375_000) - 60) < 1e-9)
    #expect(abs(seconds(475_000) - 70) < 1e-9)
    #expect(PreparedLane.seconds(for: 600, rate: 50, ramp: 0, start: 0.1) == 12)
  }
}
