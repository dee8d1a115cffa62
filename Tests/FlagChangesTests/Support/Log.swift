import Synchronization

/// What a service told its operator.
final class Log: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func add(_ line: String) { storage.withLock { $0.append(line) } }
}
