import Foundation

/// A statement of the program, held against what Citus refuses where the bulk tables are distributed by the person.
/// Found by running them there, on Citus 13.2.
struct DistributedStatement {
  let sql: String

  /// Tables that are distributed, and the views over them.
  static let bulk =
    #"salvo\.(profile|subscription|recipient|recipient_staging|delivery|late_evidence|inbox|inbox_event"#
    + #"|final_outcome|message_log|launch_outcomes)\b"#

  /// What it uses that is refused; empty is right.
  var refusals: [String] {
    var found: [String] = []
    let namesBulk = has(Self.bulk)
    if namesBulk, has(#"\bfor (no key )?(update|share|key share)\b"#) { found.append("row locks on a bulk table") }
    if has(#"\bupdate "# + Self.bulk), has(#"\b(clock_timestamp|random|nextval|gen_random_uuid)\("#) {
      found.append("a volatile function in an update of a bulk table")
    }
    // Nobody counts the rows of the inbox.
    if has(#"\binsert into (?!salvo\.inbox\b)"# + Self.bulk), has(#"\bon conflict\b"#) {
      found.append("on conflict on a bulk table: its row count lies")
    }
    if has(#"\b(insert into|update|delete from) "# + Self.bulk), has(#"\breturning\b.*\b(now|clock_timestamp)\("#) {
      found.append("a time in what is returned from a bulk table")
    }
    if namesBulk, has(#"\bwith recursive\b|\btablesample\b"#) { found.append("recursion or sampling") }
    if isCorrelatedAfar {
      found.append("a subquery that looks at rows of a CTE, a subquery, a function or a plain table")
    }
    return found
  }

  /// Refused are correlated subqueries over a bulk table unless the outer FROM is made of bulk tables themselves.
  private var isCorrelatedAfar: Bool {
    guard has(Self.bulk) else { return false }
    // `select exists (…)` alone looks at nothing outside.
    let inner = sql.replacing(#/^\s*select exists \(/#.ignoresCase(), with: "")
    // Not what stands in a FROM, a CTE or a COPY by itself.
    let subquery = #"(?<!\bfrom )(?<!\bjoin )(?<!\blateral )(?<!\bas )(?<!\bcopy )\(\s*select\b"#
    guard Self.has(subquery, in: inner) else { return false }
    let hasFarFrom = Self.has(
      #"\bwith [a-z_]+ as|\bunnest\(|\b(from|join) (lateral )?\(|salvo\.(final_outcome|message_log)"#, in: inner)
    let outer = inner.replacing(#/(exists|in|[<>=]) \(select[^()]*(\([^()]*\)[^()]*)*\)/#.ignoresCase(), with: "")
    return hasFarFrom || !Self.has(Self.bulk, in: outer)
  }

  /// What a session would have to keep beyond its transaction: behind a transaction pooler it is somebody else's then.
  var sessionState: [String] {
    var found: [String] = []
    if has(#"^\s*(listen|unlisten|notify|prepare|execute|deallocate|declare|discard|load)\b"#) {
      found.append("a session's own objects")
    }
    if has(#"\bpg_(try_)?advisory_(un)?lock"#) { found.append("a session's lock") }
    if has(#"^\s*set (?!local\b|transaction\b)"#) || has(#"\bset_config\((?!.*, true\))"#) {
      found.append("a session's setting")
    }
    if has(#"\b(temp|temporary) (table|view|sequence)\b"#) { found.append("a temporary table") }
    if has(#"\bcurrval\(|\blastval\("#) { found.append("a sequence's last value") }
    return found
  }

  private func has(_ pattern: String) -> Bool { Self.has(pattern, in: sql) }

  private static func has(_ pattern: String, in text: String) -> Bool {
    text.range(of: pattern, options: [.regularExpression, .caseInsensitive]) != nil
  }

  // MARK: The program's own

  /// Every literal of a Swift file that begins as SQL does, each with the file's name. Interpolations stay as written.
  static func all(inFolder folder: URL) throws -> [(file: String, statement: DistributedStatement)] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let literals =
        text.matches(of: #/"""\n(.*?)\n *"""/#.dotMatchesNewlines()).map { String($0.1) }
        + text.matches(of: #/"((?:[^"\\\n]|\\.)+)"/#).map { String($0.1) }
      let isSQL = #/^\s*(select|insert|update|delete|with|from|copy|set|lock|listen|notify|prepare|declare|truncate)\b/#
      return literals.filter { $0.firstMatch(of: isSQL.ignoresCase()) != nil }.map {
        (file.lastPathComponent, DistributedStatement(sql: $0))
      }
    }
  }
}
