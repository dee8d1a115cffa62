import DurableFiles
import FeatureFlagsXML
import FlagChanges
import Flagboard
import Foundation
import NIOCore
import NIOPosix

/// The values file that `serve --create` makes, or the demonstration of `serve --demo`.
enum NewValuesFile {
    case empty, demonstration

    private var option: String { self == .empty ? "--create" : "--demo" }

    /// The file is durable before this returns.
    ///
    /// - Throws: ``PlainError``, also if a history knows a file of that name.
    func make(for files: FlagFiles) throws {
        let url = files.values
        let path = url.path(percentEncoded: false)
        // With an empty file in its place, every value in the history would be recorded as removed.
        guard !FileManager.default.fileExists(atPath: files.history.path(percentEncoded: false)) || Self.exists(url)
        else {
            throw PlainError(
                "\(path) is missing, but its history \(files.history.path(percentEncoded: false)) exists.\nRestore the "
                    + "file, or move the history away before you use \(option).")
        }
        switch self {
        case .empty: try write(PropertyListDocument.empty().source, to: url)
        case .demonstration:
            // Values beside another's definitions would be no demonstration.
            if Self.exists(url) { throw inTheWay(url) }
            try write(Demonstration.manifest, to: files.manifest)
            try write(Demonstration.values, to: url)
        }
    }

    private func write(_ data: Data, to url: URL) throws(PlainError) {
        do throws(FileAccessError) {
            try AtomicFile.makeNew(url, with: data)
        } catch {
            throw error.isInTheWay ? inTheWay(url) : PlainError("\(error)")
        }
    }

    private func inTheWay(_ url: URL) -> PlainError {
        let advice =
            self == .empty ? "Remove --create to serve it." : "Remove --demo to serve it, or choose another FILE."
        return PlainError("\(url.path(percentEncoded: false)) already exists. Nothing was written. \(advice)")
    }

    /// Advises after a failed start; empty if the values file exists.
    static func advice(for files: FlagFiles) -> String {
        exists(files.values)
            ? ""
            : "\nTo start with an empty file, add --create. To try Flagboard with demo flags, add --demo."
    }

    private static func exists(_ url: URL) -> Bool {
        AtomicFile.look(at: url, followingLink: false) != nil
    }
}

/// Checks that a port can be bound, before any file is touched.
enum PortCheck {
    static func run(host: String, port: Int) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port)
            .get()
        try await channel.close()
    }
}
