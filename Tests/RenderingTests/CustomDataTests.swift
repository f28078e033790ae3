import Base
import Campaign
import Testing

@testable import Rendering

@Suite("Custom data")
struct CustomDataTests {
  private func object(_ text: String) throws -> JSONObject { try #require(JSONScanner.parse(text).object) }

  /// C06
  static let numbers =
    #"{"order_id":9007199254740993,"ts":1655371000,"big":18446744073709551616,"price":129.90,"exp":1e3,"one":1,"#
    + #""one_f":1.0,"zero":0,"vip":true,"off":false}"#
  /// C07
  static let shapes =
    #"{"cart":{"n":2,"items":["a","b"]},"tags":["x"],"none":null,"flag":true,"empty":"","n":5}"#

  @Test("C06: as strings, every number keeps the customer's own digits")
  func numbersAsStrings() throws {
    var bench = Bench(#"{"message":{"data":{"_uid":"u"}}}"#)
    bench.customData = CustomDataPlace(path: "message.data", form: .strings, reserved: [])
    bench.content.data = try object(Self.numbers)
    #expect(
      try bench.payload()
        == #"{"message":{"data":{"order_id":"9007199254740993","ts":"1655371000","big":"18446744073709551616","#
        + #""price":"129.90","exp":"1e3","one":"1","one_f":"1.0","zero":"0","vip":"true","off":"false","_uid":"u"}}}"#)
  }

  @Test("C06: native, every value keeps its type and digits")
  func numbersNative() throws {
    var bench = Bench(#"{"aps":{"x":1}}"#)
    bench.customData = CustomDataPlace(path: "", form: .native, reserved: ["aps"])
    bench.content.data = try object(Self.numbers)
    #expect(try bench.payload() == Self.numbers.dropLast() + #","aps":{"x":1}}"#)
  }

  @Test("C07: as strings, objects and arrays are compact JSON text and null is left out")
  func shapesAsStrings() throws {
    var bench = Bench(#"{"data":{}}"#)
    bench.customData = CustomDataPlace(path: "data", form: .strings, reserved: [])
    bench.content.data = try object(Self.shapes)
    #expect(
      try bench.payload() == #"{"data":{"cart":"{\"n\":2,\"items\":[\"a\",\"b\"]}","tags":"[\"x\"]","flag":"true","#
        + #""empty":"","n":"5"}}"#)
  }

  @Test("C07: native as they are, null included")
  func shapesNative() throws {
    var bench = Bench(#"{}"#)
    bench.customData = CustomDataPlace(path: "", form: .native, reserved: [])
    bench.content.data = try object(Self.shapes)
    #expect(try bench.payload() == Self.shapes)
  }

  @Test("inside AppMetrica's data text")
  func insideText() throws {
    var bench = Bench(PublishedTemplates.appMetrica)
    bench.customData = CustomDataPlace(
      path: "push_batch_request.batch[].messages.android.content.data{}", form: .strings, reserved: ["hub_link"])
    bench.content.data = try object(#"{"cart":{"n":2,"t":"a\"b"},"none":null}"#)
    let data = try #require(try bench.json()["push_batch_request/batch/0/messages/android/content/data"])
    #expect(data == .string(#"{"cart":"{\"n\":2,\"t\":\"a\\\"b\"}","hub_link":{"ack":"","open":""}}"#))
    let cart = try #require(try data.inside()["cart"])
    #expect(try cart.inside()["t"] == .string("a\"b"))
  }

  @Test("the platform's own data wins key by key")
  func platformData() throws {
    var bench = Bench(#"{"data":{"own":1}}"#)
    bench.customData = CustomDataPlace(path: "data", form: .native, reserved: [])
    bench.content.data = try object(#"{"a":1,"b":2}"#)
    bench.content.platformData = [.android: try object(#"{"b":3,"c":4}"#), .ios: try object(#"{"a":9}"#)]
    #expect(try bench.payload() == #"{"data":{"a":1,"b":3,"c":4,"own":1}}"#)
    bench.platform = .ios
    #expect(try bench.payload() == #"{"data":{"a":9,"b":2,"own":1}}"#)
  }

  @Test(
    "reserved names are refused by name",
    arguments: [
      (#"{"from":1}"#, "from"), (#"{"ok":1,"google.x":1}"#, "google.x"), (#"{"google":1}"#, "google"),
      (#"{"_title":1}"#, "_title"), (#"{"_late":1}"#, "_late"), (#"{"fro":1}"#, nil), (#"{"Google":1}"#, nil),
    ] as [(String, String?)])
  func reserved(data: String, name: String?) throws {
    var bench = Bench(#"{"data":{"_title":"x"{{if .Title}},"_late":1{{end}}}}"#)
    bench.customData = CustomDataPlace(path: "data", form: .strings, reserved: ["from", "google*"])
    bench.content.data = try object(data)
    let refusal = bench.refusal()
    #expect(refusal?.source == (name == nil ? nil : "content.data"))
    if let name { #expect(refusal?.message.contains("'\(name)'") == true, "\(String(describing: refusal))") }
  }

  @Test("data with nowhere to go is refused, unless the template places it itself")
  func noPlace() throws {
    var bench = Bench(#"{"message":{"x":1}}"#)
    bench.customData = CustomDataPlace(path: "message.data", form: .strings, reserved: [])
    #expect(bench.refusal() == nil)
    bench.content.data = try object(#"{"a":1}"#)
    #expect(bench.refusal()?.message.contains("no object message.data") == true)
    bench.template = #"{"message":{"x":"{{json .Data}}"}}"#
    #expect(try bench.payload() == #"{"message":{"x":"{\"a\":1}"}}"#)
  }
}

@Suite("Sizes")
struct SizeTests {
  private func size(_ body: String) throws -> Int {
    var bench = Bench(#"{"aps":{"alert":{"title":"T","body":"{{.Body}}"}}}"#)
    bench.content.body = body
    let slice = try bench.slice()
    return slice.messages[0].body.count
  }

  @Test("C09: sizes are bytes of UTF-8, nothing is escaped that need not be")
  func bytes() throws {
    let b1 = String(repeating: "😀", count: 1013) + "xxx"
    #expect(try size("") == 41)
    #expect(b1.count == 1016)
    #expect(try size(b1) == 4096)
    #expect(try size(b1 + "y") == 4097)
    #expect(try size(String(repeating: "Ж", count: 2027) + "x") == 4096)
    let b4 = String("12345678\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}".prefix(9))
    #expect(try size(b4) == 41 + 33)
    #expect(try size("https://shop.example/a/b") == 41 + 24)
  }
}
