public import Base
internal import Postgres

/// A job that this runner holds for a while.
public struct JobLease: Sendable {
  /// The job's id.
  public var id: Int64
  /// As the row says; this version may not know it.
  public var kind: String
  /// The launch it is about; nil when it is about none.
  public var launchID: Int64?
  /// JSON of the arguments, as the row says.
  public var args: String
  /// Which try this is, from 1.
  public var attempt: Int
  /// Tries it has in all; after the last one it has failed for good.
  public var maxAttempts: Int
  /// When it was to be done.
  public var runAt: EpochMilliseconds
  /// Fencing token: every later write repeats it.
  public var token: Int64
  /// By this machine's clock: whoever has not renewed the lease until then does nothing more under it.
  public var validUntil: BootInstant

  /// $1 and $2 of every statement that the token guards.
  var guardParameters: [Parameter] { [.int8(id), .int8(token)] }

  private static let done = """
    update salvo.job
    set state = 'done', result = $3, finished_at = now(), last_error = null, leased_by = null, lease_until = null
    where id = $1 and token = $2 and state = 'leased'
    """

  /// Marks it done inside the transaction that does it, so that both happen or neither.
  /// - Throws: `StoreError` `.fenced` when the job is another runner's by now; the transaction rolls back.
  func complete(_ result: JSON, _ connection: Connection) throws {
    let marked = try connection.execute(Self.done, guardParameters + [.json(result.text)])
    guard marked.affected == 1 else {
      throw StoreError(.fenced, "job \(id) was taken over by another runner; nothing is done twice")
    }
  }
}
