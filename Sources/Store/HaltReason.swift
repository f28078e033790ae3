public import Base
public import Campaign

/// Why nothing new may be sent.
public enum HaltReason: Sendable, Equatable {
  case launch(LaunchState)
  case laneStopped(String?)
  case lanePaused
  case cooling(until: EpochMilliseconds)

  /// What the rows of launch and lane say; nil when both run.
  init?(launch: String?, lane: String?, stopReason: String?) {
    // A state that this version doesn't know halts as well.
    let launch = launch.flatMap(LaunchState.init(rawValue:)) ?? .failed
    guard launch == .running else {
      self = .launch(launch)
      return
    }
    switch lane.flatMap(LaneRecord.State.init(rawValue:)) {
    case .running: return nil
    case .paused: self = .lanePaused
    case .stopped, .done, nil: self = .laneStopped(stopReason)
    }
  }
}
