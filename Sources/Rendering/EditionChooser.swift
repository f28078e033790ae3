internal import Base
internal import Campaign

/// Which of a launch's editions a recipient gets. The variant follows from profile and launch alone, so somebody with
/// three devices sees one variant on all of them, also on a second attempt and by another runner.
struct EditionChooser: Sendable {
  private let launch: Int64
  /// Upper bounds of the variants' shares, ascending; empty without variants.
  private var bounds: [UInt64] = []
  /// For each variant (one without variants) the edition of each locale, and of everybody else under "".
  private var places: [[String: Int]]
  /// Whether somebody's locale decides.
  let asksForLocale: Bool
  private let names: [String]
  /// What Braze calls the variation, for a launch without variants of its own.
  private let variation: String?

  init(_ launch: Launch) {
    self.launch = launch.id
    let content = launch.content
    var sum: UInt64 = 0
    for variant in content.variants {
      sum += UInt64(max(variant.weight, 1))
      bounds.append(sum)
    }
    places = Array(repeating: [:], count: max(content.variants.count, 1))
    for (index, edition) in content.editions.enumerated() {
      places[edition.variant ?? 0][edition.locale ?? ""] = index
    }
    asksForLocale = content.editions.contains { $0.locale != nil }
    names = content.variants.map(\.name)
    variation = content.applePush?.messageVariationID
  }

  /// What the results call a profile's variant; nil when everybody gets the same.
  func variantName(of profile: Int64) -> String? { names.isEmpty ? variation : names[variant(of: profile)] }

  /// The index of the edition.
  /// - Parameter locale: the profile's, nil when it has none.
  func edition(profile: Int64, locale: String?) -> Int {
    let places = places[variant(of: profile)]
    if let locale {
      for tag in Content.fallBack(from: locale) { if let index = places[tag] { return index } }
    }
    return places[""] ?? 0
  }

  private func variant(of profile: Int64) -> Int {
    guard let sum = bounds.last, bounds.count > 1 else { return 0 }
    let share = Self.mix(Self.mix(UInt64(bitPattern: profile)) ^ UInt64(bitPattern: launch)) % sum
    return bounds.firstIndex { share < $0 } ?? 0
  }

  /// The finalizer of splitmix64 (Steele, Lea, Flood 2014): neighbours come out far apart.
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
