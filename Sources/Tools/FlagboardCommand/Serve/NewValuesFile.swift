import DurableFiles
import FeatureFlagsXML
import FlagChanges
import Foundation
import NIOCore
import NIOPosix

/// The empty values file that `serve --create` makes.
enum NewValuesFile {
    /// Makes the file, durable before it returns.
    ///
    /// - Throws: ``PlainError``, also if a history knows a file of that name.
    static func make(for files: FlagFiles) throws {
        let url = files.values
        let path = url.path(percentEncoded: false)
        // With an empty file in its place, every value in the history would be recorded as removed.
        guard !FileManager.default.fileExists(atPath: files.history.path(percentEncoded: false)) || exists(url) else {
            throw PlainError(
                "\(path) is missing, but its history \(files.history.path(percentEncoded: false)) exists.\nRestore the "
                    + "file, or move the history away before you use --create.")
        }
        do throws(FileAccessError) {
            try AtomicFile.makeNew(url, with: PropertyListDocument.empty().source)
        } catch {
            guard error.isInTheWay else { throw PlainError("\(error)") }
            throw PlainError("\(path) already exists. Nothing was written. Remove --create to serve it.")
        }
    }

    /// Returns advice for a failed start; empty if the values file exists.
    static func advice(for files: FlagFiles) -> String {
        exists(files.values) ? "" : "\nTo start with an empty file, add --create."
    }

    private static func exists(_ url: URL) -> Bool {
        AtomicFile.look(at: url, followingLink: false) != nil
    }
}

/// A check that a port can be bound, before any file is touched.
enum PortCheck {
    static func run(host: String, port: Int) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port)
            .get()
        try await channel.close()
    }
}
