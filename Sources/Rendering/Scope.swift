/// The names that may be used at one place of a template.
struct Scope {
  private struct Variable {
    let name: String
    let slot: Int
    let schema: Schema
  }

  let root: Schema
  /// What `.` stands for inside a range or a with; nil outside, where it is the root.
  var dot: Schema?
  private var variables: [Variable] = []
  /// How many variables were declared so far, those out of reach included.
  private(set) var slots = 0

  init(root: Schema) { self.root = root }

  /// How many variables are in reach.
  var count: Int { variables.count }

  mutating func declare(_ name: String, _ schema: Schema) -> Int {
    variables.append(Variable(name: name, slot: slots, schema: schema))
    slots += 1
    return slots - 1
  }

  /// Forgets what was declared since `count` was that.
  mutating func leave(_ count: Int) { variables.removeSubrange(count...) }

  /// The variable `$name`, or what is wrong.
  func variable(_ name: String) throws(SchemaError) -> (slot: Int, schema: Schema) {
    if let variable = variables.last(where: { $0.name == name }) { return (variable.slot, variable.schema) }
    let nearest = Spelling.nearest(to: name, among: variables.map(\.name)).map { " (did you mean $\($0)?)" } ?? ""
    let known = variables.isEmpty ? "" : "; there are \(variables.map { "$\($0.name)" }.joined(separator: " "))"
    throw SchemaError(message: "there is no $\(name) here\(nearest)\(known)")
  }

  /// The variable `$name` to be set again: it keeps what it was declared for, so that its uses stay right.
  func variable(_ name: String, for schema: Schema) throws(SchemaError) -> Int {
    let variable = try variable(name)
    if case .mixed = variable.schema.merged(with: schema) {
      throw SchemaError(message: "$\(name) was declared for another kind of value")
    }
    return variable.slot
  }
}
