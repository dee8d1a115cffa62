import DurableFiles
import Foundation

/// A process of this user that serves a file already, so that no other may write it.
///
/// ```swift
/// if let server = RunningServer.find(files), let socket = server.socket { … }
/// ```
public struct RunningServer: Hashable, Sendable {
    /// What the process tells of itself: the address that it listens on, and its number.
    public let name: String
    /// The socket at which it answers the programs of this user; `nil` where it answers none yet.
    public let socket: URL?

    /// Looks for the process that serves a values file, under whatever name.
    ///
    /// Where the folder in which processes tell one another is not to be trusted, or can't be read, none is known: the locks
    /// beside the files keep a second writer out all the same.
    ///
    /// - Parameter files: The files.
    /// - Returns: `nil` where there is none that could be found so.
    public static func find(_ files: FlagFiles) -> RunningServer? { find(files, in: ServerRegistry.sharedFolder) }

    static func find(_ files: FlagFiles, in folder: URL) -> RunningServer? {
        switch Result(catching: { () throws(LockError) in try ServerRegistry.server(of: files.values, in: folder) }) {
        case .success(let found): found.map { RunningServer(name: $0.holder, socket: $0.socket) }
        case .failure: nil
        }
    }
}
