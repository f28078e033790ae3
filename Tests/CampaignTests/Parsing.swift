import Base
import Campaign
import Testing

/// What reading a JSON text ends in: the error's line, or nil when it is taken.
func refusal<Value>(_ text: String, _ read: (JSON) throws(CampaignError) -> Value) throws -> String? {
  let json = try JSONScanner.parse(text)
  do {
    _ = try read(json)
    return nil
  } catch {
    return error.description
  }
}
