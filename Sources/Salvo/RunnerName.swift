import Glibc

/// Who holds a lease: host and pid for people, 64 random bits against restarts under the same name.
enum RunnerName {
  static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static var pid: Int32 { getpid() }

  static func make() -> String {
    "\(host)/\(pid)/\(String(UInt64.random(in: .min ... .max), radix: 16))"
  }
}
