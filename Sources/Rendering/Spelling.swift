/// Guesses what a misspelt name was meant to be.
enum Spelling {
  /// The known name with the fewest letters wrong, left out, too many or swapped; nil when none is near. Case counts
  /// for nothing, so `.title` finds `.Title`.
  static func nearest(to name: String, among known: some Sequence<String>) -> String? {
    var least = min(3, max(1, name.count / 3))
    var nearest: String?
    for candidate in known.sorted() {
      let distance = distance(name.lowercased(), candidate.lowercased())
      if distance > least || (distance == least && nearest != nil) { continue }
      least = distance
      nearest = candidate
    }
    return nearest
  }

  /// Optimal string alignment: Levenshtein's distance, with two swapped letters as one fault.
  private static func distance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
