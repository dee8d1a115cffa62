import DurableFiles
import FlagHistory
import Foundation

/// A file whose replacement was interrupted.
///
/// The displaced content, kept until the change is final, shows if it was replaced.
struct InterruptedFile {
    enum Condition {
        /// The file was not replaced, or was restored.
        case notReplaced
        /// The file was replaced, and possibly edited since.
        case replaced
        /// The replacement displaced a simultaneous edit by another program.
        case editDisplaced
        /// The file was also edited since: only a person can choose.
        case crossed
        /// The file's content is unknown, and nothing was displaced.
        case foreign
    }

    let file: ChangeIntent.File
    let url: URL
    let replacement: FileReplacement
    let condition: Condition
    private let displaced: URL?
    private let current: FileReading?

    init(_ file: ChangeIntent.File, at url: URL) throws(FileAccessError) {
        self.file = file
        self.url = url
        replacement = FileReplacement(
            url: url, temporary: url.deletingLastPathComponent().appending(path: file.temporaryName), exchanges: true)
        let beside = try FileReading.read(replacement.temporary)
        let backup = beside == nil ? try FileReading.read(replacement.backup) : nil
        current = try FileReading.read(url)
        displaced = beside == nil ? (backup == nil ? nil : replacement.backup) : replacement.temporary
        if beside?.hash == file.hashAfter {
            condition = .notReplaced
        } else if let content = beside ?? backup {
            if content.hash == file.hashBefore {
                condition = .replaced
            } else {
                condition = current?.hash == file.hashAfter ? .editDisplaced : .crossed
            }
        } else if current?.hash == file.hashAfter {
            condition = .replaced
        } else {
            condition = current?.hash == file.hashBefore ? .notReplaced : .foreign
        }
    }

    /// Restores the file, unless it was edited since; safe to repeat after a crash.
    func putBack() throws -> Recovery.Remark {
        switch condition {
        case .notReplaced: return .untouched
        case .foreign, .crossed: return .foreign
        case .replaced where current?.hash != file.hashAfter: return .foreign
        case .replaced, .editDisplaced: break
        }
        if let displaced {
            try AtomicFile.restore(displaced, to: url)
        } else {
            // The displaced file is gone, but the intent has its content.
            guard let current, let content = file.edit?.undone(in: current.data),
                ContentHash.sha256(content) == file.hashBefore
            else { return .foreign }
            let temporary = try AtomicFile.writeTemporary(
                content, beside: url, mode: current.signature.mode, writer: FlagFiles.temporaryWriter)
            try AtomicFile.rename(temporary, to: url)
        }
        return condition == .editDisplaced ? .edited : .putBack
    }

    func currentHash() throws(FileAccessError) -> Data? {
        try FileReading.read(url)?.hash
    }

    var startError: ChangeServiceStartError {
        .file(
            url.path(percentEncoded: false),
            "two edits of this file coincided with a change; one is saved as "
                + "\((displaced ?? replacement.temporary).lastPathComponent) beside it.",
            remedy: "Move that file away, compare the two, then try again.")
    }
}
