import DurableFiles
import Foundation

/// A process of this user that serves a file already, so that no other may write it.
///
/// ```swift
/// if let server = try RunningServer.find(files), let socket = server.socket { … }
/// ```
public struct RunningServer: Hashable, Sendable {
    /// What the process tells of itself: the address that it listens on, and its number.
    public let name: String
    /// The socket at which it answers the programs of this user; `nil` where it answers none yet.
    public let socket: URL?

    /// Looks for the process that serves a values file, under whatever name.
    ///
    /// - Parameter files: The files.
    /// - Returns: `nil` where there is none that could be found so.
    /// - Throws: ``ChangeServiceStartError`` where the folder in which processes tell one another is not to be trusted.
    public static func find(_ files: FlagFiles) throws(ChangeServiceStartError) -> RunningServer? {
        try find(files, in: ServerRegistry.sharedFolder)
    }

    static func find(_ files: FlagFiles, in folder: URL) throws(ChangeServiceStartError) -> RunningServer? {
        let found = try ChangeServiceStartError.unlessLocked { () throws(LockError) in
            try ServerRegistry.server(of: files.values, in: folder)
        }
        return found.map { RunningServer(name: $0.holder, socket: $0.socket) }
    }
}
