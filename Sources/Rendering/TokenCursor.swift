/// Walks the words of one action.
struct TokenCursor {
  private let tokens: [Token]
  private let source: SourceText
  /// Where to point when the words run out.
  private let end: Int
  private var at = 0

  init(tokens: [Token], source: SourceText, end: Int) {
    self.tokens = tokens
    self.source = source
    self.end = end
  }

  var peek: Token.Kind? { at < tokens.count ? tokens[at].kind : nil }
  var peekSecond: Token.Kind? { at + 1 < tokens.count ? tokens[at + 1].kind : nil }
  var offset: Int { at < tokens.count ? tokens[at].offset : end }
  var isGlued: Bool { at < tokens.count && tokens[at].isGlued }

  /// Whether the next word can begin a function's operand.
  var startsOperand: Bool {
    switch peek {
    case .dot, .field, .variable, .constant, .open, .word: true
    case .declare, .assign, .comma, .pipe, .close, nil: false
    }
  }

  mutating func skip() { at += 1 }

  /// Throws when words are left over.
  func finish() throws(TemplateError) {
    if at < tokens.count { throw source.error(at: offset, "'}}' was expected, this is too much") }
  }
}
