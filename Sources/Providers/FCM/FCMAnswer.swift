internal import Base
internal import Transport

/// What an FCM answer says, as far as it can be read; of a body that is not JSON only the status.
struct FCMAnswer {
  let status: Int
  /// `projects/<p>/messages/<id>`: the proof of a success.
  let name: String?
  /// `error.status`: `NOT_FOUND`.
  let state: String?
  let message: String?
  /// Of the detail FcmError: `UNREGISTERED`.
  let errorCode: String?
  /// The detail ApnsError: what Apple or a web push service said.
  let hasAPNsError: Bool
  let apnsStatus: Int64?
  let apnsReason: String?
  /// Fields that BadRequest complains of: `message.token`.
  let fields: [String]
  /// The quota of a QuotaFailure is a device's.
  let isDeviceQuota: Bool

  init(_ answer: Answer) {
    status = answer.status
    let root = (try? JSONScanner.parse(answer.body))?.object
    name = root?["name"]?.string
    let error = root?["error"]?.object
    state = error?["status"]?.string
    message = error?["message"]?.string
    let details = (error?["details"]?.array ?? []).compactMap(\.object)
    func detail(_ type: String) -> JSONObject? {
      details.first { $0["@type"]?.string?.hasSuffix(type) == true }
    }
    errorCode = detail("google.firebase.fcm.v1.FcmError")?["errorCode"]?.string
    let apns = detail("google.firebase.fcm.v1.ApnsError")
    hasAPNsError = apns != nil
    // The reference prints status_code, the wire has statusCode.
    let code = apns?["statusCode"] ?? apns?["status_code"]
    apnsStatus = code?.int ?? code?.string.flatMap { Int64($0) }
    apnsReason = apns?["reason"]?.string
    fields = (detail("google.rpc.BadRequest")?["fieldViolations"]?.array ?? []).compactMap {
      $0.object?["field"]?.string
    }
    isDeviceQuota = (detail("google.rpc.QuotaFailure")?["violations"]?.array ?? []).contains { violation in
      ["subject", "description"].contains { key in
        violation.object?[key]?.string?.lowercased().contains("device") == true
      }
    }
  }

  /// The complaint is about the token, not about the payload that thousands share.
  var namesToken: Bool {
    fields.contains("message.token") || message?.lowercased().contains("registration token") == true
  }
}
