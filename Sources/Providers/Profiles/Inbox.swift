internal import Base
public import Campaign
public import Rendering

/// What an app's notification centre shows of a message, whatever the provider and the app's SDK.
public enum Inbox {
  public static func shape(of launch: Launch) -> PayloadShape {
    let content = launch.content
    var overlays = MindboxProfile.overlays(of: content, at: "")
    if !content.data.isEmpty {
      overlays.append(PayloadOverlay(path: "data", json: .object(content.data)))
    }
    return PayloadShape(
      template: TemplateSource(name: "the notification centre", text: PackageResources.inbox_json),
      dropEmpty: ["title", "body", "image", "click_url"], overlays: overlays)
  }
}
