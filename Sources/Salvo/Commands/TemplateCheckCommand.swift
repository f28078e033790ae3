import Base
import Pipeline
import Providers
import Rendering

struct TemplateCheckCommand: Command {
  static let spec = CommandSpec(
    words: ["template", "check"], operands: "FILE", operandCount: 1...1,
    summary: "renders a template (- is stdin) with samples; says what would be refused",
    options: [.init(name: "--provider", value: "PROVIDER", help: "whose payload it is to be")])

  private let file: String
  private let provider: any Provider

  init(_ arguments: Arguments) throws {
    file = arguments.operands[0]
    guard let name = arguments.text("--provider") else { throw UsageError("--provider PROVIDER is needed") }
    provider = try TemplateCheck.provider(named: name)
  }

  func run() async throws -> Int32 {
    let text: [UInt8]
    do {
      text = try FileReader.read(file == "-" ? "/dev/stdin" : file)
    } catch {
      throw RunError(.notFound, "cannot read \(error)")
    }
    let result: TemplateCheck.Result
    do {
      result = try TemplateCheck(provider).run(TemplateSource(name: file == "-" ? "stdin" : file, text: text))
    } catch let error as TemplateError {
      result = .refused([error])
    } catch let error as ProviderError {
      throw RunError(.content, "\(error)")
    }
    switch result {
    case .accepted(let summary):
      print(summary)
      return 0
    case .refused(let reasons):
      for reason in reasons { print(reason) }
      return RunError.Code.content.rawValue
    }
  }
}
