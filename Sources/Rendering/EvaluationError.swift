/// Why an expression has no value: what a function was given that it can't take.
struct EvaluationError: Error, Equatable {
  let message: String
  /// Where the function stands in the source; nil until the evaluator that knows it puts it in.
  var offset: Int?

  init(_ message: String) { self.message = message }

  /// With the place of the innermost function that failed.
  func at(_ offset: Int) -> EvaluationError {
    var error = self
    error.offset = self.offset ?? offset
    return error
  }
}
