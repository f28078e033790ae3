internal import Base
internal import Campaign

/// The customer's own data of one launch on one platform.
struct CustomData: Sendable {
  /// Common, then the platform's own, which wins key by key.
  let object: JSONObject

  init(_ content: Content, platform: Platform) {
    var object = content.data
    for member in (content.platformData[platform] ?? JSONObject()).members { object.set(member.key, member.value) }
    self.object = object
  }

  /// The members as one provider takes them: with `strings` numbers and booleans are their own digits and words,
  /// objects and arrays compact JSON text, nulls are left out.
  func members(in form: CustomDataPlace.Form) -> [JSONObject.Member] {
    switch form {
    case .native: object.members
    case .strings:
      object.members.compactMap { member in
        switch member.value {
        case .null: nil
        case .string: member
        default: JSONObject.Member(key: member.key, value: .string(member.value.text))
        }
      }
    }
  }

  /// The first name that the payload keeps for itself.
  /// - Parameter own: keys that the template writes into the same object.
  func reservedName(_ reserved: [String], own: Set<[UInt8]>) -> String? {
    object.keys.first { key in
      own.contains(Array(key.utf8))
        || reserved.contains { name in
          name.hasSuffix("*")
            ? key.utf8.starts(with: name.utf8.dropLast()) : key.utf8.elementsEqual(name.utf8)
        }
    }
  }
}
