import Glibc

/// Who holds a lease: host and pid for people, 64 random bits against restarts under the same name.
enum RunnerName {
  static func make() -> String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(host)/\(getpid())/\(String(UInt64.random(in: .min ... .max), radix: 16))"
  }
}
