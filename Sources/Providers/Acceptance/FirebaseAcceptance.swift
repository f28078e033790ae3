internal import Base

/// What Firebase's v1 API asks of a message, where one line here is better than its 400.
enum FirebaseAcceptance {
  static func problems(in root: JSONObject) -> [AcceptanceProblem] {
    guard let members = root["message"]?.object else {
      return [AcceptanceProblem(field: "message", message: "is missing")]
    }
    let message = PayloadReader(members, path: "message")
    var problems: [AcceptanceProblem] = []
    let targets = ["token", "topic", "condition"].filter { message.members[$0] != nil }
    if targets.count != 1 {
      problems.append(message.problem("token", "exactly one of token, topic and condition, not \(targets.count)"))
    }
    for path in [["data"], ["android", "data"], ["webpush", "data"], ["webpush", "headers"], ["apns", "headers"]] {
      guard let map = members.member(path)?.object else { continue }
      problems += PayloadReader(map, path: (["message"] + path).joined(separator: ".")).nonStrings
    }
    if let aps = members.member(["apns", "payload", "aps"])?.object {
      let isShown = aps["alert"] != nil || members["notification"] != nil
      if !isShown, members.member(["apns", "headers", "apns-priority"]) == .string("10") {
        problems.append(
          message.problem("apns.headers.apns-priority", "10 with nothing to show: Apple takes 5 for a background push"))
      }
      if members.member(["apns", "fcm_options", "image"]) != nil, aps["mutable-content"]?.int != 1 {
        problems.append(
          message.problem("apns.payload.aps.mutable-content", "must be 1, or the app's extension shows no picture"))
      }
    }
    return problems
  }
}
