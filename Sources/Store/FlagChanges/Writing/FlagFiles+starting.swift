import DurableFiles
import FlagHistory
import Foundation

extension FlagFiles {
    func exchanges(_ options: ChangeServiceOptions) -> Set<URL> {
        guard !options.isReadOnly else { return [] }
        return Set(
            replaceable.filter { url in
                do throws(FileAccessError) {
                    if let obstacle = AtomicFile.obstacle(toReplacing: url), obstacle.isOfMountPoint {
                        options.log(obstacle.description)
                    }
                    let lost = try AtomicFile.lostAttributes(of: url, writer: FlagFiles.temporaryWriter)
                    if !lost.isEmpty {
                        options.log(
                            "\(url.path(percentEncoded: false)): this process can't copy "
                                + "\(lost.joined(separator: ", ")) to the new file that each change creates. Run it as "
                                + "a user who can, or set them again after each change")
                    }
                    if try options.canExchange(url) { return true }
                    options.log(
                        "\(url.path(percentEncoded: false)): this file system can't swap two files, so an edit by "
                            + "another program at the moment of a change is detected a little later")
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
            path, "the manifest is missing. Without it, locks and internal flags are not protected.",
            remedy: """
                Put it back. To continue without definitions, create it with this content:
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
            log("\(fileProblem.detail) Until then, the last good values from the history are in use.")
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
            guard !fileProblem.isMissing else {
                throw .file(file.provider.path, "the file is missing.", remedy: "Check the path.")
            }
            throw .file(
                file.provider.path, fileProblem.fault,
                remedy: fileProblem.isContentAtFault
                    ? "Flagboard needs an Apple property list (XML) whose root is a dictionary. The file was not "
                        + "changed."
                    : "Fix this, then start again.")
        }
        if case .failure(let fileProblem) = manifest.content {
            throw .manifest(files.manifest, fileProblem, remedy: "Fix it, or choose another manifest with --manifest")
        }
    }
}
