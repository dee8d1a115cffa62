import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

struct BackedUpMoment {
    struct File {
        let use: String
        let url: URL
        let role: FileRole?
        /// The bytes; `nil` for the database, which SQLite copies.
        let content: Data?
    }

    struct Names {
        let history: String
        let all: [(file: File, name: String)]
    }

    let history: HistorySnapshot
    private let database: URL
    private let proofs: [File]
    private let readings: [(file: File, reading: FileReading?)]

    /// Reads the files and pins the history, proofs before rows.
    init(_ files: FlagFiles, _ history: HistoryStore) throws {
        let sources =
            files.providers.map { ("the provider \($0.name)", $0.url, FileRole.values as FileRole?) }
            + [
                ("the manifest", files.manifest, .manifest), ("the tokens", files.tokens, nil),
                ("the webhooks", files.webhooks, nil), ("the webhook state", files.webhooksState, nil),
                ("the saved searches", files.searches, nil),
            ]
        readings = try sources.map { use, url, role in
            let most = role == nil ? FlagFiles.maximumKeptSize : PropertyListDocument.largestMaximumSize
            let reading = try FileReading.read(url, maximumSize: most)
            return (File(use: use, url: url, role: role, content: reading?.data), reading)
        }
        self.history = try history.snapshot()
        let companions = SigningFiles(of: files.history)
        database = files.history
        proofs = [
            File(use: "the history's signing key", url: companions.key, role: nil, content: self.history.key),
            File(
                use: "the history's checkpoints", url: companions.checkpoints, role: nil,
                content: self.history.checkpoints),
        ]
    }

    func edited() throws(FileAccessError) -> URL? {
        for (file, reading) in readings {
            let isSame =
                if let reading { try reading.isHeld(by: file.url) } else {
                    try AtomicFile.signature(of: file.url) == nil
                }
            if !isSame { return file.url }
        }
        return nil
    }

    func write(into draft: FolderDraft) throws -> Names {
        let own = File(use: "the history", url: database, role: nil, content: nil)
        let present = readings.compactMap { file, reading in reading == nil ? nil : file }
        // The history's three files find one another by name.
        let kept = ([own] + proofs).map { ($0, $0.url.lastPathComponent) }
        var taken = Set(kept.map(\.1) + [BackupContents.name])
        var all: [(file: File, name: String)] = kept.map { (file: $0, name: $1) }
        for file in present {
            let name = Self.name(file.url, besides: taken)
            taken.insert(name)
            all.append((file, name))
        }
        for (file, name) in all {
            if let content = file.content { try draft.add(content, named: name) }
        }
        try history.copy(to: draft.temporary.appending(path: database.lastPathComponent))
        return Names(history: database.lastPathComponent, all: all)
    }

    private static func name(_ url: URL, besides taken: Set<String>) -> String {
        let name = url.lastPathComponent
        guard taken.contains(name) else { return name }
        let (stem, ending) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
        var number = 2
        while true {
            let numbered = "\(stem)-\(number)" + (ending.isEmpty ? "" : ".\(ending)")
            if !taken.contains(numbered) { return numbered }
            number += 1
        }
    }
}
