internal import Base

/// How Braze's mobile SDKs read a message.
enum BrazeAcceptance {
  static func android(_ data: PayloadReader) -> [AcceptanceProblem] {
    var problems: [AcceptanceProblem] = []
    if data["_ab"]?.string != "true" {
      problems.append(data.problem("_ab", "must be the text true: the SDK takes the message for another's"))
    }
    for (key, what) in [("t", "title"), ("a", "body")] where data[key] == nil {
      problems.append(data.problem(key, "the \(what) is missing: the SDK takes the message for a silent one"))
    }
    if let extra = data["extra"]?.string, (try? JSONScanner.parse(Array(extra.utf8)))?.object == nil {
      problems.append(data.problem("extra", "must be the text of a JSON object: the app's own pairs are lost"))
    }
    let types = data.members.keys.filter { $0.hasPrefix("ab_a") && $0.hasSuffix("_a") }
    for index in 0..<types.count where data["ab_a\(index)_a"] == nil {
      problems.append(data.problem("ab_a\(index)_a", "is missing: the buttons behind it aren't shown"))
      break
    }
    for index in types.indices {
      guard let type = data["ab_a\(index)_a"]?.string else { continue }
      if !["ab_uri", "ab_open", "ab_none"].contains(type) {
        problems.append(data.problem("ab_a\(index)_a", "must be ab_uri, ab_open or ab_none: the button does nothing"))
      }
      if data["ab_a\(index)_t"]?.string?.isEmpty != false {
        problems.append(data.problem("ab_a\(index)_t", "is missing: the button has no words"))
      }
      if type == "ab_uri", data["ab_a\(index)_uri"]?.string?.isEmpty != false {
        problems.append(data.problem("ab_a\(index)_uri", "is missing: the button opens nothing"))
      }
    }
    return problems
  }

  static func apple(_ payload: PayloadReader) -> [AcceptanceProblem] {
    guard let own = payload["ab"]?.object else {
      return [payload.problem("ab", "must be an object: the SDK takes the message for another's")]
    }
    var problems: [AcceptanceProblem] = []
    if !own.keys.contains("c") {
      problems.append(payload.problem("ab.c", "must be there, null without a campaign: the SDK counts no open"))
    }
    if let asset = own["att"]?.object {
      if asset["url"]?.string?.isEmpty != false {
        problems.append(payload.problem("ab.att.url", "is missing: no picture is shown"))
      }
      if asset["type"]?.string == nil {
        problems.append(payload.problem("ab.att.type", "is missing: no picture is shown"))
      }
      if payload["aps", "mutable-content"]?.int != 1 {
        problems.append(payload.problem("aps.mutable-content", "must be 1, or the extension shows no picture"))
      }
    }
    for member in own["ab_cat"]?.object?.members ?? [] where member.value.object?["a_t"]?.string == nil {
      problems.append(payload.problem("ab.ab_cat.\(member.key).a_t", "is missing: the button does nothing"))
    }
    if own["ab_cat"] != nil, payload["aps", "category"]?.string == nil {
      problems.append(payload.problem("aps.category", "is missing: without it no buttons are shown"))
    }
    problems += payload.texts("ab_uri", else: "the tap opens the app only")
    return problems
  }
}
