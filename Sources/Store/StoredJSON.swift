internal import Base
internal import Campaign

/// A jsonb column on its way to the domain's value.
enum StoredJSON {
  /// - Parameter place: whose column it is: "launch 7".
  /// - Throws: `StoreError` with `code`, naming place, field and what is allowed there.
  static func read<Value>(
    _ text: String?, _ code: StoreError.Code, _ place: String, _ make: (JSON) throws(CampaignError) -> Value
  ) throws(StoreError) -> Value {
    let json: JSON
    do {
      json = try JSONScanner.parse(Array((text ?? "").utf8))
    } catch {
      throw StoreError(code, "\(place): \(error)")
    }
    do {
      return try make(json)
    } catch {
      throw StoreError(code, "\(place): \(error)")
    }
  }
}
