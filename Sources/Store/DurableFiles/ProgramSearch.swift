import Foundation

package enum ProgramSearch {
    /// Looks for a program as a shell does: in some folders, then in those of the `PATH`.
    package static func find(_ name: String, before folders: [URL] = []) -> URL? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "")
            .split(separator: ":", omittingEmptySubsequences: false)
            .map { URL(filePath: $0.isEmpty ? "." : String($0)) }
        return (folders + path).map { $0.appending(path: name) }.first { url in
            AtomicFile.look(at: url)?.kind == .regular
                && FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false))
        }
    }
}
