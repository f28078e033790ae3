internal import Base
internal import Transport

/// What a RuStore answer says: `{code, message, status}`, met both flat and wrapped in `error`.
struct RuStoreAnswer {
  /// `NOT_FOUND`.
  let state: String?
  let message: String?
  /// The universal API's complaints, one a provider: `rustore: invalid tokens: cV8kQz`.
  let complaints: [String]
  /// A success has an empty body, `{}` or `OK`: anything else, such as a proxy's page, isn't RuStore's word.
  let isSuccess: Bool

  init(_ answer: Answer) {
    let root = (try? JSONScanner.parse(answer.body))?.object
    let error = root?["error"]?.object ?? root
    state = error?["status"]?.string
    message = error?["message"]?.string
    complaints = (error?["errors"]?.array ?? []).compactMap(\.string)
    let isFault = root?["error"] != nil || root?["errors"] != nil || (state != nil && state != "OK")
    isSuccess = answer.body.allSatisfy(TokenShape.isSpace) || (root != nil && !isFault)
  }

  /// The complaint is about the token, not about the payload that thousands share. The word alone isn't enough:
  /// `message.token must be a string` is about the payload.
  var namesToken: Bool {
    let text = message?.lowercased() ?? ""
    return ["registration token", "push token", "push-token"].contains { text.contains($0) }
  }
}
