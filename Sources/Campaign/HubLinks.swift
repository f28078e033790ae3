/// Makes and reads tracking links.
public final class HubLinks: Sendable {
  init() {}
}
