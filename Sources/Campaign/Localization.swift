internal import Base

/// Texts that lie in the app: keys of its strings file and what is filled in. The arguments are T.
public struct Localization: Sendable, Equatable {
  /// `title_loc_key`
  public var titleKey: String?
  /// `title_loc_args`: what fills the title's places, in their order. T; only with a key.
  public var titleArguments: [String] = []
  /// `loc_key`
  public var bodyKey: String?
  /// `loc_args`: what fills the body's places, in their order. T; only with a key.
  public var bodyArguments: [String] = []
  /// Apple only: the title of the button that opens the app.
  public var actionKey: String?

  /// Members of the JSON.
  static let keys = ["title_loc_key", "title_loc_args", "loc_key", "loc_args", "action_loc_key"]

  /// Without any key.
  public init() {}

  init(_ fields: FieldReader) throws(CampaignError) {
    titleKey = try fields.text("title_loc_key")
    titleArguments = try fields.texts("title_loc_args") ?? []
    bodyKey = try fields.text("loc_key")
    bodyArguments = try fields.texts("loc_args") ?? []
    actionKey = try fields.text("action_loc_key")
    if !titleArguments.isEmpty, titleKey == nil {
      throw CampaignError(field: "\(fields.path).title_loc_args", message: "needs title_loc_key beside it")
    }
    if !bodyArguments.isEmpty, bodyKey == nil {
      throw CampaignError(field: "\(fields.path).loc_args", message: "needs loc_key beside it")
    }
  }
}
