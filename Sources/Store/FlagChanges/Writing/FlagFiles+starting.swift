import DurableFiles
import FlagHistory
import Foundation

extension FlagFiles {
    func exchanges(_ options: ChangeServiceOptions) -> Set<URL> {
        guard !options.isReadOnly else { return [] }
        return Set(
            replaceable.filter { url in
                do throws(FileAccessError) {
                    let lost = try AtomicFile.lostAttributes(of: url, writer: FlagFiles.temporaryWriter)
                    if !lost.isEmpty {
                        options.log(
                            "\(url.path(percentEncoded: false)): this process may not copy \(lost.joined(separator: ", ")) "
                                + "to the new file that each change makes; run as a user who may, or set that again "
                                + "after a change")
                    }
                    if try options.canExchange(url) { return true }
                    options.log(
                        "\(url.path(percentEncoded: false)): this file system can't swap two files, so an edit by another "
                            + "program at the very moment of a change is found a little later")
                    return false
                } catch {
                    options.log("\(error.description)")
                    return true
                }
            })
    }

    /// Refuses to run without a known manifest: locks would be lifted and internal flags shown.
    func checkManifest(_ history: HistoryStore) throws {
        let path = manifest.path(percentEncoded: false)
        guard try AtomicFile.signature(of: manifest) == nil, try history.headHash(of: .manifest, at: path) != nil else {
            return
        }
        throw ChangeServiceStartError.file(
            path, "the manifest is gone; without it every lock would be lifted and every internal flag shown.",
            remedy: """
                Put it back. To go on without definitions, put this there instead:
                <plist version="1.0"><dict><key>version</key><integer>1</integer></dict></plist>
                """)
    }
}

extension Workspace {
    func hasSameManifest(as other: Workspace) -> Bool { manifest.reading?.hash == other.manifest.reading?.hash }

    mutating func recall(
        from history: HistoryStore, for files: FlagFiles, _ log: (String) -> Void
    ) throws(ChangeServiceStartError) {
        try ChangeServiceStartError.unlessFailing(files) { try recallFiles(from: history) }
        try checkServable(files)
        for file in values {
            guard case .failure(let fileProblem) = file.content else { continue }
            log("\(fileProblem.detail) Until then, the last values that the history knows count.")
        }
    }

    /// Refuses unreadable files without known content.
    ///
    /// `mayBeRecalled` accepts those that an existing history may restore.
    func checkServable(_ files: FlagFiles, mayBeRecalled: Bool = false) throws(ChangeServiceStartError) {
        for file in values {
            guard case .failure(let fileProblem) = file.content, file.lastSound == nil else { continue }
            if mayBeRecalled,
                try ChangeServiceStartError.unlessFailing(files, { try AtomicFile.signature(of: files.history) != nil })
            {
                continue
            }
            throw .file(
                file.provider.path, fileProblem.fault,
                remedy: fileProblem.isContentAtFault
                    ? "Flagboard serves an Apple property list (XML) whose root is a dictionary; the file is untouched."
                    : "Then start again.")
        }
        if case .failure(let fileProblem) = manifest.content {
            throw .manifest(files.manifest, fileProblem, remedy: "Correct it, or name another one with --manifest")
        }
    }
}
