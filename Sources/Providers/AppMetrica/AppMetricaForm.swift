internal import Base
internal import Campaign
internal import Rendering

/// What distinguishes AppMetrica's requests for one platform from those for the other.
struct AppMetricaForm {
  /// The platform's member of `messages`.
  let key: String
  /// What `devices[].id_type` may be beside it, the template's own first; another platform's would fail the whole
  /// transfer.
  let idTypes: [String]
  let builtIn: [UInt8]
  /// The part of `open_action` that is published but unknown to the API.
  let unknownToAPI: String

  /// The payload of one entry, whose device ids the lane lists.
  /// - Throws: `ProviderError` when the id type isn't the platform's, or the channel's own template numbers transfers.
  func shape(of channel: Channel, for provider: some Provider) throws(ProviderError) -> PayloadShape {
    let own = idTypes.first ?? ""
    let idType = channel.settings.idType ?? own
    guard idTypes.contains(idType) else {
      throw ProviderError(
        .configuration, "\(channel.label): id_type must be one of \(idTypes.joined(separator: ", "))")
    }
    let template = try TemplateText.source(of: channel, for: provider) {
      let text = TemplateText.replacing("\"\(own)\"", with: "\"\(idType)\"", in: builtIn)
      return channel.settings.openAction == "api" ? TemplateText.replacing(unknownToAPI, with: "", in: text) : text
    }
    if channel.template != nil, template.text.contains(Array("client_transfer_id".utf8)) {
      throw ProviderError(
        .content, "\(template.name): client_transfer_id is the window's own number, take it out of the template")
    }
    let message = "push_batch_request.batch[].messages.\(key)"
    return PayloadShape(
      template: template, landmarks: AppMetricaLane.landmarks,
      dropEmpty: [JSONPath("\(message).content.*"), JSONPath("\(message).open_action.*")],
      customData: CustomDataPlace(
        path: JSONPath("\(message).content.data{}"), form: .strings, reserved: ["hub_link", "icon", "media"]),
      listsTokens: true)
  }
}
