internal import Base
internal import Campaign

/// One edition of a launch's content, compiled for one channel.
struct EditionProgram: Sendable {
  let program: Program
  let personalTexts: [PersonalText]
  /// Whether the program writes or decides by any of them, and what these name of the recipient.
  let hasPersonalTexts: Bool
  let needsAttributes: Bool
  let columns: PersonalColumns
  /// Whose language the texts are in; nil when that is everybody's own affair.
  let locale: String?

  /// - Throws: `TemplateError` with line and column when the template can't yield valid JSON.
  init(
    shape: PayloadShape, launch: Launch, locale: String?, channel: Channel, platform: Platform, providerTitle: String,
    hasLinks: Bool
  ) throws(TemplateError) {
    let source = SourceText(name: shape.template.name, bytes: shape.template.text)
    var payload = try PayloadParser.parse(Parser.parse(source, root: Variable.schema))
    try Rehearsal.check(payload)
    let data = CustomData(launch.content, platform: platform)
    var values = try PayloadValues(
      launch: launch, channel: channel, providerTitle: providerTitle, data: data.object, hasLinks: hasLinks)
    try Rehearsal.check(payload, values: values)
    for overlay in shape.overlays { payload = try payload.laying(overlay, values: &values) }
    program = try Binder.bind(payload, shape: shape, data: data, values: values)
    personalTexts = values.personalTexts
    let used = program.personalTexts.map { values.personalTexts[$0] }
    hasPersonalTexts = !used.isEmpty
    needsAttributes = used.contains(where: \.needsAttributes)
    self.locale = locale
    columns = used.reduce(into: []) { $0.formUnion($1.columns) }
  }
}
