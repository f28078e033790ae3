import Base
import Campaign
import Providers
import Rendering

/// The part of sending that needs nobody: tokens read and payloads rendered, or refused.
struct SliceRendering: Sendable {
  /// A message that ends here; its token stays.
  struct Refusal: Sendable {
    /// Index among the window's messages.
    let message: Int
    let reason: String
    let detail: String?
  }

  let input: RenderInput
  let slice: RenderedSlice
  /// For each of the input's messages its index in the window.
  let indices: [Int]
  private(set) var refusals: [Refusal] = []

  /// - Parameters:
  ///   - messages: indices in the window.
  ///   - firstRow: index into `page.rows` of the window's first message.
  init(_ messages: some Collection<Int>, of page: RecipientPage, firstRow: Int, by lane: PreparedLane) {
    var input = RenderInput(page: page, tokens: [], messages: [])
    var indices: [Int] = []
    input.messages.reserveCapacity(messages.count)
    indices.reserveCapacity(messages.count)
    for message in messages {
      let row = firstRow + message
      let start = input.tokens.count
      guard lane.adapter.appendToken(page.bytes[page.rows[row].token.range], to: &input.tokens) else {
        input.tokens.removeSubrange(start...)
        refusals.append(Refusal(message: message, reason: "malformed_token", detail: nil))
        continue
      }
      input.messages.append(
        RenderInput.Message(row: row, token: ByteRange(lower: start, upper: input.tokens.count)))
      indices.append(message)
    }
    slice = lane.renderer.render(input)
    refusals += slice.rejections.map {
      Refusal(message: indices[$0.input], reason: $0.reason, detail: $0.detail)
    }
    self.input = input
    self.indices = indices
  }

  /// What becomes of a message that the adapter found too large.
  func refusal(of large: (message: Int, bytes: Int), limit: Int) -> Refusal {
    Refusal(
      message: indices[slice.messages[large.message].input], reason: "too_large",
      detail: "\(large.bytes) bytes, \(limit) are allowed")
  }
}
