import DurableFiles
import Foundation
import Synchronization

/// Holds a thread at some step until a test lets it go on.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    private let isArmed = Mutex(true)

    /// Waits here, the first time that this is called.
    func pass() {
        let waits = isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
        }
        guard waits else { return }
        reached.signal()
        opened.wait()
    }

    /// Waits until a thread is held.
    func waitUntilReached() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [reached] in
                reached.wait()
                continuation.resume()
            }
        }
    }

    func open() { opened.signal() }
}

/// Counts what happens.
final class Counter: Sendable {
    private let storage = Mutex(0)

    var value: Int { storage.withLock { $0 } }

    @discardableResult
    func add() -> Int {
        storage.withLock { count in
            count += 1
            return count
        }
    }
}

/// Lets other tasks run until a condition holds.
func until(_ condition: () async throws -> Bool) async rethrows {
    while try await !condition() { await Task.yield() }
}

extension FileAccessError {
    /// An error as a disk that fails gives it.
    static func failing() throws(FileAccessError) {
        try AtomicFile.synchronizeFolder(of: URL(filePath: "/nowhere/at/all"))
    }
}
