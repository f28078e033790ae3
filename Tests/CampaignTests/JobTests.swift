import Base
import Campaign
import Testing

@Suite("Jobs' arguments")
struct JobTests {
  private func job(_ kind: Job.Kind, _ args: String) throws -> Job { try Job(kind, args: try JSONScanner.parse(args)) }

  @Test("every kind reads what the table of jobs gives it")
  func read() throws {
    #expect(try job(.runLaunch, "{}") == .runLaunch)
    #expect(
      try job(.retry, #"{"outcome":["unknown"],"reason":null}"#) == .retry(outcomes: [.unknown], reason: nil))
    #expect(
      try job(.retry, #"{"outcome":["rejected","expired"],"reason":"payload"}"#)
        == .retry(outcomes: [.rejected, .expired], reason: "payload"))
    #expect(
      try job(.audience, #"{"all":true,"channels":[7]}"#)
        == .audience(filter: try JSONScanner.parse(#"{"channels":[7]}"#)))
    #expect(try job(.audience, #"{"all":true}"#) == .audience(filter: .object(JSONObject())))
    #expect(
      try job(.audience, #"{"filter":{"locales":["ru"]}}"#)
        == .audience(filter: try JSONScanner.parse(#"{"locales":["ru"]}"#)))
    #expect(try job(.pause, #"{"channel_id":null}"#) == .pause(channel: nil))
    #expect(try job(.cancel, #"{"channel_id":7}"#) == .cancel(channel: 7))
    #expect(try job(.resume, "{}") == .resume(channel: nil))
    #expect(try job(.report, #"{"format":"csv","to":"autumn.csv"}"#) == .report(format: .csv, to: "autumn.csv"))
    #expect(try job(.report, "{}") == .report(format: .html, to: nil))
    #expect(try job(.maintain, #"{"keep_days":90}"#) == .maintain(keepDays: 90))
    #expect(try job(.maintain, "{}") == .maintain(keepDays: 90))
  }

  @Test(
    "what they can't be is named",
    arguments: [
      (Job.Kind.runLaunch, #"{"at":1}"#, "args.at: no such key"),
      (.retry, "{}", "args.outcome: is missing"),
      (.retry, #"{"outcome":["sent"]}"#, "args.outcome: a list of unknown, expired, rejected"),
      (.retry, #"{"outcome":[]}"#, "args.outcome: a list of unknown, expired, rejected"),
      (.audience, "{}", "args: all: true or a filter is expected"),
      (.audience, #"{"all":true,"filter":{}}"#, "args: either filter, or all and channels"),
      (.pause, #"{"channel_id":0}"#, "args.channel_id: 1 or more"),
      (.report, #"{"format":"pdf"}"#, "args.format: "),
      (.maintain, #"{"keep_days":0}"#, "args.keep_days: 1 to 36500"),
      (.runLaunch, "[]", "args: an object, not an array"),
    ])
  func refused(_ row: (Job.Kind, String, String)) {
    let error = #expect(throws: CampaignError.self) { try job(row.0, row.1) }
    #expect(error?.description.hasPrefix(row.2) == true, "\(error?.description ?? "")")
  }
}
