import Base
import Campaign
import Providers
import Testing

/// The rules by which the apps' SDKs read a message: what Salvo makes passes them, and each silent failure is found.
@Suite("What an app's SDK accepts")
struct AcceptanceTests {
  static let content = ##"""
    {"title":"Sale \"50%\" C:\\deals","subtitle":"S","body":"Line1\r\nLine2\t😀 </script>","click_url":"https://c/?a=1&b=2",
     "image":"https://i/p.png","icon":"https://i/i.png","image_background_color":"#112233","badge":0,"ttl":60,
     "category":"own","data":{"n":1,"o":{"p":[true,"x"]}},
     "buttons":[{"label":"Да, \"сейчас\"","link":"https://1/?a=\"b\""},{"label":"\\","link":"app://2"},{"label":"{{3}}","link":"app://3"}]}
    """##

  static var pairs: [(String, PayloadProfile)] {
    Registry.providers.flatMap { provider in
      provider.profiles.filter { $0 != .custom }.map { (provider.name, $0) }
    }
  }

  @Test("three buttons, quotes, newlines and objects: every profile's payload is taken whole", arguments: pairs)
  func accepted(_ provider: String, _ profile: PayloadProfile) throws {
    let text = Self.content.replacing("{{3}}", with: "3")
    let payload = try RenderedPayload(provider, Content(json: JSONScanner.parse(text)), profile: profile)
    let body = Array(payload.batch.body(0).utf8)
    #expect(Acceptance.problems(in: body, provider: provider, profile: profile) == [])
  }

  static func problems(_ body: String, _ provider: String, _ profile: PayloadProfile) -> [String] {
    Acceptance.problems(in: Array(body.utf8), provider: provider, profile: profile).map(\.description)
  }

  @Test(
    "Mindbox, Apple: one wrong type and the message is another's",
    arguments: [
      (#""payload":{"a":1}"#, "payload: text, not an object: the SDK takes the message for another's"),
      (#""clickUrl":null"#, "clickUrl: must be there as text: the SDK takes the message for another's"),
      (#""imageUrl":5"#, "imageUrl: text, not a number: the SDK takes the message for another's"),
      (#""uniqueKey":"""#, "uniqueKey: is missing: no tap can be counted"),
      (#""buttons":"[]""#, "buttons: must be an array of objects: the SDK takes the message for another's"),
      (
        #""buttons":[{"text":"A","url":"u"}]"#,
        "buttons[0].uniqueKey: must be there as text: no button is shown and no tap counted"
      ),
      (
        #""aps":{"alert":"B","mutable-content":1}"#,
        "aps.alert: must be an object: the SDK takes the message for another's"
      ),
      (
        #""aps":{"alert":{"title":"T"},"mutable-content":1}"#,
        "aps.alert.body: must be there as text: the SDK takes the message for another's"
      ),
      (
        #""aps":{"alert":{"body":"B"},"mutable-content":true}"#,
        "aps.mutable-content: must be a whole number: the SDK takes the message for another's"
      ),
      (
        #""aps":{"alert":{"body":"B"},"mutable-content":1,"sound":{"name":"a"}}"#,
        "aps.sound: must be text: the SDK takes the message for another's"
      ),
      (
        #""aps":{"alert":{"body":"B"},"mutable-content":1,"clickUrl":"u","uniqueKey":"k"}"#,
        "aps.clickUrl: belongs to the older form, where all keys lie in aps: those beside it are lost"
      ),
    ])
  func mindboxApple(_ member: String, _ problem: String) throws {
    let good = #"{"aps":{"alert":{"body":"B"},"mutable-content":1},"clickUrl":"u","uniqueKey":"k"}"#
    #expect(Self.problems(good, "ios-apns", .mindbox) == [])
    var object = try #require(JSONScanner.parse(good).object)
    for other in try #require(JSONScanner.parse("{\(member)}").object).members { object.set(other.key, other.value) }
    #expect(Self.problems(JSON.object(object).text, "ios-apns", .mindbox).first == problem)
  }

  @Test(
    "Android's maps",
    arguments: [
      (
        #"{"message":{"data":{"title":"T"}}}"#, "android-rustore", PayloadProfile.mindbox,
        "message.data.uniqueKey: is empty: the SDK takes the message for another's"
      ),
      (
        #"{"message":{"android":{"data":{"uniqueKey":"k","buttons":[{"text":"A"}]}}}}"#, "android-firebase", .mindbox,
        "message.android.data.buttons: an array, where a data map has texts only"
      ),
      (
        #"{"message":{"notification":{"title":"T"},"android":{"data":{"uniqueKey":"k"}}}}"#, "android-firebase",
        .mindbox,
        "message.notification: with it the system draws the message, and the app's SDK never sees it in the background"
      ),
      (
        #"{"message":{"data":"{\"uniqueKey\":\"k\",\"buttons\":\"[{]\"}"}}"#, "android-hms", .mindbox,
        "message.data.buttons: must be the text of a JSON array: no button is shown"
      ),
      (
        #"{"message":{"android":{"data":{"_ab":"True","t":"T","a":"B"}}}}"#, "android-firebase", .braze,
        "message.android.data._ab: must be the text true: the SDK takes the message for another's"
      ),
      (
        #"{"message":{"android":{"data":{"_ab":"true","t":"T"}}}}"#, "android-firebase", .braze,
        "message.android.data.a: the body is missing: the SDK takes the message for a silent one"
      ),
      (
        #"{"message":{"android":{"data":{"_ab":"true","t":"T","a":"B","ab_a1_a":"ab_open","ab_a1_t":"x"}}}}"#,
        "android-firebase", .braze,
        "message.android.data.ab_a0_a: is missing: the buttons behind it aren't shown"
      ),
      (
        #"{"message":{"data":"{\"_ab\":\"true\",\"t\":\"T\",\"a\":\"B\",\"extra\":\"x\"}"}}"#, "android-hms", .braze,
        "message.data.extra: must be the text of a JSON object: the app's own pairs are lost"
      ),
      (
        #"{"message":{"data":{"_uid":"u","_buttons":"[]"}}}"#, "android-rustore", .altcraft,
        "message.data._ac_push: is missing: the SDK takes the message for another's"
      ),
      (
        #"{"message":{"data":{"_ac_push":"A","_uid":"u","_buttons":"[{\"label\":\"A\"}]"}}}"#, "android-rustore",
        .altcraft,
        "message.data._buttons[0].link: is missing: no button is shown"
      ),
      (
        ##"{"message":{"data":{"_ac_push":"A","_uid":"u","_buttons":"[]","_color":"#FFF"}}}"##, "android-rustore",
        .altcraft,
        "message.data._color: no colour, so black is shown; it is written #RRGGBB"
      ),
    ])
  func android(_ body: String, _ provider: String, _ profile: PayloadProfile, _ problem: String) {
    #expect(Self.problems(body, provider, profile).first == problem)
  }

  @Test(
    "Altcraft and Braze on Apple's devices",
    arguments: [
      (
        #"{"aps":{"alert":{"body":"B"},"mutable-content":1},"_ac_push":"A","_uid":"u"}"#, PayloadProfile.altcraft,
        "_buttons: must be the text of a JSON array: no button is shown, and older SDKs open no link either"
      ),
      (
        #"{"aps":{"alert":{"body":"B"},"mutable-content":1},"_ac_push":"A","_uid":"u","_buttons":"[{\"label\":\"A\",\"link\":\"l\",\"n\":1}]"}"#,
        .altcraft,
        "_buttons[0].n: must be text: no button is shown, and older SDKs open no link either"
      ),
      (
        #"{"aps":{"alert":{"body":"B"}},"_ac_push":"A","_uid":"u","_buttons":"[]"}"#, .altcraft,
        "aps.mutable-content: must be 1, or the SDK's extension never runs: no picture, no buttons"
      ),
      (
        #"{"aps":{"alert":{"body":"B"},"mutable-content":1},"_ac_push":"A","_uid":"u","_buttons":"[]","_click_action":"x"}"#,
        .altcraft, "_click_action: on Apple's devices the SDK reads _click-url"
      ),
      (#"{"aps":{},"ab":"x"}"#, .braze, "ab: must be an object: the SDK takes the message for another's"),
      (#"{"aps":{},"ab":{}}"#, .braze, "ab.c: must be there, null without a campaign: the SDK counts no open"),
      (
        #"{"aps":{},"ab":{"c":null,"att":{"url":"u","type":"png"}}}"#, .braze,
        "aps.mutable-content: must be 1, or the extension shows no picture"
      ),
    ])
  func apple(_ body: String, _ profile: PayloadProfile, _ problem: String) {
    #expect(Self.problems(body, "ios-apns", profile).first == problem)
  }
}
