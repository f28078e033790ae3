internal import Base
public import Campaign
public import Rendering

/// What an app's notification centre shows of a message, whatever the provider and the app's SDK.
public enum Inbox {
  /// One JSON object: title, body, picture and link, left out where empty, buttons, Mindbox's text for the app, the
  /// campaign's name and start, and the launch's own `data`.
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
