import Base
import Campaign
import Testing

@testable import Rendering

@Suite("The published structures")
struct PublishedStructureTests {
  @Test("Android Firebase with nothing but a title has exactly the published keys, in their order")
  func firebaseKeys() throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.content.title = "Sale"
    let json = try bench.json()
    #expect(
      json["message/android/data"]?.object?.keys == [
        "_ac_push", "_uid", "_launch_id", "_title", "_provider", "_body", "_icon", "_click_action", "_color", "_image",
        "_vibration", "_soundless", "_hub_link", "_buttons",
      ])
    #expect(json["message/android"]?.object?.keys == ["priority", "data"])
    #expect(json["message/token"] == .string("token-1"))
    #expect(json["message/android/priority"] == .string("HIGH"))
    #expect(json["message/android/data/_title"] == .string("Sale"))
    #expect(json["message/android/data/_body"] == .string(""))
    #expect(json["message/android/data/_vibration"] == .string("false"))
    #expect(json["message/android/data/_buttons"] == .string("[]"))
    #expect(json["message/android/data/_hub_link"] == .string(#"{"open":"","ack":""}"#))
    #expect(json["message/android/data/_provider"] == .string("Android Firebase"))
  }

  @Test("The whole Firebase payload, byte for byte")
  func firebaseBytes() throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.content.title = "Sale"
    bench.content.ttlMilliseconds = 3_600_000
    bench.content.buttons = [.init(label: "Да, \"сейчас\"", link: "https://shop.example/?a=1&b=2")]
    let slice = try bench.slice()
    let uid = String(decoding: slice.bytes[slice.messages[0].uid.range], as: UTF8.self)
    let launch = LaunchTag.text(account: 1, campaign: 2, milliseconds: Bench.start)
    let expected =
      #"{"message":{"token":"token-1","android":{"priority":"HIGH","ttl":"3600s","data":{"_ac_push":"Altcraft","_uid":""#
      + uid + #"","_launch_id":""# + launch
      + #"","_title":"Sale","_provider":"Android Firebase","_body":"","_icon":"","_click_action":"","_color":"","#
      + #""_image":"","_vibration":"false","_soundless":"false","_hub_link":"{\"open\":\"\",\"ack\":\"\"}","#
      + #""_buttons":"[{\"label\":\"Да, \\\"сейчас\\\"\",\"link\":\"https://shop.example/?a=1&b=2\"}]"}}}}"#
    #expect(try bench.payload() == expected)
  }

  @Test("The id in the payload names account, campaign, resource, channel, profile, subscription and time")
  func uid() throws {
    var bench = Bench(PublishedTemplates.firebase)
    bench.recipients = [.init(profile: 11, subscription: 12), .init(profile: 13, subscription: 14, token: "token-2")]
    let slice = try bench.slice()
    for (message, person) in zip(slice.messages, bench.recipients) {
      let json = try JSONScanner.parse(Array(slice.bytes[message.body.range]))
      let id = try MessageID.decode(slice.bytes[message.uid.range])
      #expect(json["message/android/data/_uid"]?.string?.utf8.elementsEqual(slice.bytes[message.uid.range]) == true)
      #expect([id.account, id.campaign, id.resource, id.channel] == [1, 2, 3, 4])
      #expect([id.profile, id.subscription, id.milliseconds] == [person.profile, person.subscription, Bench.start])
      #expect(id.kind == .full)
      #expect(json["message/token"] == .string(person.token))
    }
  }

  @Test("iOS APNs: empty alert members go, root keys stay")
  func apns() throws {
    var bench = Bench(PublishedTemplates.apns)
    bench.dropEmpty = ["aps.alert.*"]
    bench.content.title = "Sale"
    let json = try bench.json()
    #expect(json["aps/alert"]?.object?.keys == ["title"])
    #expect(json["aps"]?.object?.keys == ["category", "mutable-content", "sound", "alert"])
    #expect(
      json.object?.keys == [
        "aps", "_ac_push", "_click-url", "_soundless", "_media", "_uid", "_provider", "_hub_link", "_buttons",
      ])
    #expect(json["_click-url"] == .string(""))
    #expect(json["_hub_link/open"] == .string(""))
    bench.content.title = nil
    #expect(try bench.json()["aps"]?.object?.keys == ["category", "mutable-content", "sound"])
  }

  @Test("AppMetrica: numbers stay numbers, empty content goes, the data text is JSON")
  func appMetrica() throws {
    var bench = Bench(PublishedTemplates.appMetrica)
    bench.provider = "android-appmetrica"
    bench.settings.groupID = 97737
    bench.dropEmpty = [
      "push_batch_request.batch[].messages.android.content.*",
      "push_batch_request.batch[].messages.android.open_action.*",
    ]
    bench.content.body = "Body"
    bench.content.ttlMilliseconds = 0
    bench.content.deepLink = "shop://sale"
    let json = try bench.json()
    let message = try #require(json["push_batch_request/batch/0/messages/android"])
    #expect(json["push_batch_request/group_id"] == .number("97737"))
    #expect(json["push_batch_request/tag"] == .string("campaign-2"))
    #expect(message["silent"] == .bool(false))
    #expect(message["content"]?.object?.keys == ["text", "time_to_live", "data"])
    #expect(message["content/time_to_live"] == .number("0"))
    #expect(message["open_action"]?.object?.keys == ["deeplink"])
    #expect(message["content/data"] == .string(#"{"hub_link":{"ack":"","open":""}}"#))
    #expect(json["push_batch_request/batch/0/devices/0/id_values/0"] == .string("token-1"))
    bench.content.deepLink = nil
    #expect(try bench.json()["push_batch_request/batch/0/messages/android"]?.object?.keys == ["silent", "content"])
  }

  @Test("HMS: the ttl is whole seconds, the token an array")
  func hms() throws {
    var bench = Bench(PublishedTemplates.hms)
    bench.provider = "android-hms"
    bench.content.ttlMilliseconds = 3500
    let json = try bench.json()
    #expect(json["message/android/ttl"] == .string("3s"))
    #expect(json["message/token"] == .array([.string("token-1")]))
  }
}
