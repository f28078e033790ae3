internal import Base

/// How Mindbox's mobile SDKs read a message.
enum MindboxAcceptance {
  static func android(_ data: PayloadReader) -> [AcceptanceProblem] {
    var problems: [AcceptanceProblem] = []
    if data["uniqueKey"]?.string?.isEmpty != false {
      problems.append(data.problem("uniqueKey", "is empty: the SDK takes the message for another's"))
    }
    guard data["buttons"] != nil else { return problems }
    guard let buttons = data.buttons("buttons") else {
      return problems + [data.problem("buttons", "must be the text of a JSON array: no button is shown")]
    }
    for (index, button) in buttons.enumerated() {
      for key in ["uniqueKey", "text", "url"] where button[key].map({ $0.string == nil }) ?? false {
        problems.append(data.problem("buttons[\(index)].\(key)", "must be text: no button is shown"))
      }
    }
    if buttons.count > 3 { problems.append(data.problem("buttons", "\(buttons.count) buttons, 3 are shown")) }
    return problems
  }

  /// The SDK decodes the whole payload with one type: one wrong value and it is another's message.
  static func apple(_ payload: PayloadReader) -> [AcceptanceProblem] {
    let anothers = "the SDK takes the message for another's"
    var problems: [AcceptanceProblem] = []
    if payload["aps", "clickUrl"] != nil, payload["aps", "uniqueKey"] != nil {
      problems.append(
        payload.problem(
          "aps.clickUrl", "belongs to the older form, where all keys lie in aps: those beside it are lost"))
    }
    if payload["clickUrl"]?.string == nil {
      problems.append(payload.problem("clickUrl", "must be there as text: \(anothers)"))
    }
    switch payload["aps", "alert"] {
    case .object(let alert):
      if alert["body"]?.string == nil {
        problems.append(payload.problem("aps.alert.body", "must be there as text: \(anothers)"))
      }
    default: problems.append(payload.problem("aps.alert", "must be an object: \(anothers)"))
    }
    if let sound = payload["aps", "sound"], sound.string == nil {
      problems.append(payload.problem("aps.sound", "must be text: \(anothers)"))
    }
    for name in ["mutable-content", "content-available"] {
      if let flag = payload["aps", name], flag.int == nil {
        problems.append(payload.problem("aps.\(name)", "must be a whole number: \(anothers)"))
      }
    }
    if payload["aps", "mutable-content"]?.int != 1 {
      problems.append(payload.problem("aps.mutable-content", "must be 1, or the SDK's extension shows no picture"))
    }
    problems += payload.texts("imageUrl", "payload", "uniqueKey", else: anothers)
    if payload["uniqueKey"]?.string?.isEmpty != false {
      problems.append(payload.problem("uniqueKey", "is missing: no tap can be counted"))
    }
    guard let value = payload["buttons"] else { return problems }
    guard let buttons = value.array?.compactMap(\.object), buttons.count == value.array?.count else {
      return problems + [payload.problem("buttons", "must be an array of objects: \(anothers)")]
    }
    for (index, button) in buttons.enumerated() {
      for key in ["text", "uniqueKey"] where button[key]?.string?.isEmpty != false {
        problems.append(
          payload.problem("buttons[\(index)].\(key)", "must be there as text: no button is shown and no tap counted"))
      }
      if let url = button["url"], url.string == nil {
        problems.append(payload.problem("buttons[\(index)].url", "must be text: \(anothers)"))
      }
    }
    if buttons.count > 3 { problems.append(payload.problem("buttons", "\(buttons.count) buttons, 3 are shown")) }
    return problems
  }
}
