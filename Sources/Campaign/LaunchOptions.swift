/// `launch.options` (design §10.3) with its defaults.
public struct LaunchOptions: Sendable, Equatable {
  public enum Tracking: String, Sendable { case message, group }
  public enum UnknownPolicy: String, Sendable { case hold, resend, ask }
  public enum FCM5xx: String, Sendable { case retry, unknown }
  public enum Missing: String, Sendable { case reject, blank }

  public var tracking = Tracking.message
  public var unknown = UnknownPolicy.hold
  public var unknownAttempts = 2
  public var fcm5xx = FCM5xx.retry
  /// How often one window attempt may hand a message to the network.
  public var requestBudget = 2
  /// Attempts by deferral.
  public var attempts = 3
  /// Messages a second over the whole launch.
  public var rate: Double?
  public var catchUpMinutes = 60
  public var missing = Missing.reject
  /// AppMetrica's tag; nil = `campaign-<id>`.
  public var tag: String?
  public var maxRecipients: Int64?
  public var analyticsLabel: String?

  public init() {}
}
