import Foundation
import Synchronization

/// Locks by file, so that two providers of one file in a process take turns at writing it.
///
/// There are few, and files may share one: they wait for each other's writes then, and for nothing more.
final class FileTurn: Sendable {
    let lock = Mutex(())

    private static let all = (0..<16).map { _ in FileTurn() }

    /// The lock of a file, by its own path, not that of a symbolic link to it.
    static func at(_ url: URL) -> FileTurn {
        all[Int(UInt(bitPattern: url.path.hashValue) % UInt(all.count))]
    }
}
