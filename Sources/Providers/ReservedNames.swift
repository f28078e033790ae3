/// Names that customers' own data may not use.
enum ReservedNames {
  /// The union of three wordings of Firebase's documentation.
  static let firebase = ["from", "message_type", "google*", "gcm*"]

  /// Members of the published structure that the apps' SDK reads. `_extra` isn't among them: the SDK hands that one
  /// on to the app, so a customer may set it.
  static let published = [
    "_ac_push", "_uid", "_launch_id", "_title", "_provider", "_body", "_icon", "_click_action", "_click-url", "_color",
    "_image", "_media", "_vibration", "_soundless", "_hub_link", "_buttons", "ak_uid",
  ]
}
