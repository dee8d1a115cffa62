import FeatureFlags
import FeatureFlagsRemote
import Foundation
import Synchronization
import TestClock

/// A key path of components.
func keyPath(_ components: String...) -> FlagKeyPath { FlagKeyPath(components: components) }

/// What a provider logs.
final class LogLines: Sendable {
    /// Each line, as it comes.
    let told: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation
    private let lines = Mutex<[String]>([])

    init() { (told, tell) = AsyncStream.makeStream() }

    var all: [String] { lines.withLock { $0 } }

    var log: @Sendable (String) -> Void {
        { line in
            self.lines.withLock { $0.append(line) }
            self.tell.yield(line)
        }
    }
}

extension RemoteProvider.Options {
    /// Options by which time is a test's.
    static func by(_ clock: ManualClock, events: RemoteProvider.Events = .offered) -> RemoteProvider.Options {
        var options = RemoteProvider.Options()
        options.clock = clock
        options.events = events
        // However busy the machine is, no answer is given up that a test waits for.
        options.timeout = .seconds(3600)
        options.now = { Date(timeIntervalSince1970: 1_764_064_800) }
        return options
    }
}
