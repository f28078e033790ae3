internal import Base
public import Campaign

/// Why an app's SDK would pass a message over, or show less of it, though the provider takes it.
public struct AcceptanceProblem: Sendable, Equatable, CustomStringConvertible {
  /// Where in the request's body: `message.android.data._buttons`.
  public let field: String
  /// What is wrong and what comes of it, one line.
  public let message: String

  /// - Parameters:
  ///   - field: where in the request's body.
  ///   - message: what is wrong and what comes of it, one line.
  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  public var description: String { "\(field): \(message)" }
}

/// The rules by which apps' SDKs read a message, written down from the SDKs' own sources: a wrong type there is no
/// error but silence.
public enum Acceptance {
  /// What is wrong with a request's final body, in the order found; empty when the SDK takes all of it.
  /// - Parameters:
  ///   - body: the request's body; at APNs the payload itself.
  ///   - profile: whose SDK reads it. Nothing is known of an app with a template of its own.
  public static func problems(in body: [UInt8], provider: String, profile: PayloadProfile) -> [AcceptanceProblem] {
    guard let root = try? JSONScanner.parse(body).object else {
      return [AcceptanceProblem(field: "body", message: "is no JSON object")]
    }
    switch provider {
    case "ios-apns": return apple(root, at: "", profile)
    case "ios-firebase", "ios-hms":
      guard profile != .fcm else { return FirebaseAcceptance.problems(in: root) }
      guard let payload = root.member(["message", "apns", "payload"])?.object else {
        return [AcceptanceProblem(field: "message.apns.payload", message: "is missing")]
      }
      return apple(payload, at: "message.apns.payload", profile)
    case "web-firebase": return profile == .fcm ? FirebaseAcceptance.problems(in: root) : []
    case "android-firebase", "android-hms", "android-rustore":
      guard profile != .fcm else { return FirebaseAcceptance.problems(in: root) }
      return android(root, provider, profile)
    // AppMetrica's own SDK reads what AppMetrica's API makes of it.
    default: return []
    }
  }

  private static func apple(_ payload: JSONObject, at path: String, _ profile: PayloadProfile) -> [AcceptanceProblem] {
    let reader = PayloadReader(payload, path: path)
    return switch profile {
    case .altcraft: AltcraftAcceptance.apple(reader)
    case .mindbox: MindboxAcceptance.apple(reader)
    case .braze: BrazeAcceptance.apple(reader)
    case .fcm, .custom: []
    }
  }

  private static func android(
    _ root: JSONObject, _ provider: String, _ profile: PayloadProfile
  ) -> [AcceptanceProblem] {
    if profile == .custom { return [] }
    let message = root["message"]?.object ?? JSONObject()
    var problems: [AcceptanceProblem] = []
    for path in [["notification"], ["android", "notification"]] where message.member(path)?.isNull == false {
      problems.append(
        AcceptanceProblem(
          field: (["message"] + path).joined(separator: "."),
          message: "with it the system draws the message, and the app's SDK never sees it in the background"))
    }
    let isInAndroid = provider == "android-firebase" && message.member(["android", "data"]) != nil
    let path = isInAndroid ? "message.android.data" : "message.data"
    let data = isInAndroid ? message.member(["android", "data"]) : message["data"]
    let map: JSONObject?
    // Huawei takes a text and hands the SDK the map in it.
    if provider == "android-hms", let text = data?.string {
      map = (try? JSONScanner.parse(Array(text.utf8)))?.object
    } else {
      map = data?.object
    }
    guard let map else {
      return problems + [AcceptanceProblem(field: path, message: "is no map of strings")]
    }
    let reader = PayloadReader(map, path: path)
    problems += reader.nonStrings
    switch profile {
    case .altcraft: problems += AltcraftAcceptance.android(reader)
    case .mindbox: problems += MindboxAcceptance.android(reader)
    case .braze: problems += BrazeAcceptance.android(reader)
    case .fcm, .custom: break
    }
    return problems
  }
}

/// A part of a payload, with its place for messages.
struct PayloadReader {
  let members: JSONObject
  let path: String

  init(_ members: JSONObject, path: String) {
    self.members = members
    self.path = path
  }

  func problem(_ name: String, _ message: String) -> AcceptanceProblem {
    AcceptanceProblem(field: path.isEmpty ? name : "\(path).\(name)", message: message)
  }

  subscript(_ names: String...) -> JSON? { members.member(names) }

  /// Members of a map that are no text.
  var nonStrings: [AcceptanceProblem] {
    members.members.filter { $0.value.string == nil }.map {
      problem($0.key, "\($0.value.kind), where a data map has texts only")
    }
  }

  /// Members that, if they are there, must be text.
  func texts(_ names: String..., else message: String) -> [AcceptanceProblem] {
    names.compactMap { name in
      guard let value = members[name], value.string == nil else { return nil }
      return problem(name, "text, not \(value.kind): \(message)")
    }
  }

  /// The objects in an array that is JSON text.
  func buttons(_ name: String) -> [JSONObject]? {
    guard let text = members[name]?.string, let array = (try? JSONScanner.parse(Array(text.utf8)))?.array else {
      return nil
    }
    let objects = array.compactMap(\.object)
    return objects.count == array.count ? objects : nil
  }
}

extension JSONObject {
  /// The member that a path of names leads to.
  func member(_ names: [String]) -> JSON? {
    var value = JSON.object(self)
    for name in names {
      guard let next = value.object?[name] else { return nil }
      value = next
    }
    return value
  }
}
