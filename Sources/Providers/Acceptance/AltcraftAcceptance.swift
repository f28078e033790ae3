internal import Base

/// How Altcraft's mobile SDKs read a message.
enum AltcraftAcceptance {
  static func android(_ data: PayloadReader) -> [AcceptanceProblem] {
    var problems = marks(data)
    problems += buttons(data, onFailure: "no button is shown")
    if let color = data["_color"]?.string, !color.isEmpty, !isColor(color) {
      problems.append(data.problem("_color", "no colour, so black is shown; it is written #RRGGBB"))
    }
    return problems
  }

  static func apple(_ payload: PayloadReader) -> [AcceptanceProblem] {
    var problems = marks(payload)
    if payload["aps", "alert"] != nil, payload["aps", "mutable-content"] != .number("1") {
      problems.append(
        payload.problem("aps.mutable-content", "must be 1, or the SDK's extension never runs: no picture, no buttons"))
    }
    if payload["_click_action"] != nil, payload["_click-url"] == nil {
      problems.append(payload.problem("_click_action", "on Apple's devices the SDK reads _click-url"))
    }
    problems += payload.texts("_media", "_click-url", else: "it is passed over")
    problems += buttons(payload, onFailure: "no button is shown, and older SDKs open no link either")
    return problems
  }

  private static func marks(_ payload: PayloadReader) -> [AcceptanceProblem] {
    var problems: [AcceptanceProblem] = []
    if payload["_ac_push"] == nil || payload["_ac_push"] == .null {
      problems.append(payload.problem("_ac_push", "is missing: the SDK takes the message for another's"))
    }
    if payload["_uid"]?.string?.isEmpty != false {
      problems.append(payload.problem("_uid", "is missing: opens and deliveries can't be counted"))
    }
    return problems
  }

  /// JSON text of an array whose objects hold texts alone, label and link among them.
  private static func buttons(_ payload: PayloadReader, onFailure: String) -> [AcceptanceProblem] {
    guard let buttons = payload.buttons("_buttons") else {
      return [payload.problem("_buttons", "must be the text of a JSON array: \(onFailure)")]
    }
    for (index, button) in buttons.enumerated() {
      if let wrong = button.members.first(where: { $0.value.string == nil }) {
        return [payload.problem("_buttons[\(index)].\(wrong.key)", "must be text: \(onFailure)")]
      }
      for key in ["label", "link"] where button[key] == nil {
        return [payload.problem("_buttons[\(index)].\(key)", "is missing: \(onFailure)")]
      }
    }
    return buttons.count > 3 ? [payload.problem("_buttons", "\(buttons.count) buttons, 3 are shown")] : []
  }

  private static func isColor(_ text: String) -> Bool {
    text.hasPrefix("#") && [7, 9].contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { Hex.value(of: $0) != nil }
  }
}
