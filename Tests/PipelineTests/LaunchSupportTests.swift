import Base
import Campaign
import Testing

@testable import Pipeline

@Suite("What this version does")
struct LaunchSupportTests {
  private func launch(_ options: String) throws -> Launch {
    Launch(
      id: 7, account: Account(id: 1, name: "Shop", settings: AccountSettings()), campaignID: 1, campaignName: "Autumn",
      state: .draft, content: Content(), options: try LaunchOptions(json: try JSONScanner.parse(options)),
      notBefore: nil, notAfter: nil, startedAt: nil)
  }

  @Test(
    "an option that would be passed over is refused by name",
    arguments: [
      (#"{"local_time":"09:00"}"#, "local_time"),
      (#"{"quiet_hours":{"from":"22:00","to":"08:00","zone":"recipient"}}"#, "quiet_hours"),
    ])
  func refused(_ row: (String, String)) throws {
    let launch = try launch(row.0)
    let error = #expect(throws: RunError.self) { try launch.refuseUnsupported() }
    #expect(error?.code == .content)
    #expect(
      error?.description == "launch 7: its options ask for \(row.1), which this version doesn't do")
  }

  @Test("what has the default value, or is done, is not")
  func accepted() throws {
    try launch(#"{"inbox":false,"unknown":"resend","tracking":"group","rate":100,"attempts":2}"#).refuseUnsupported()
  }
}
