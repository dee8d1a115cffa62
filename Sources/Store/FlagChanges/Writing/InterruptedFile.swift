import DurableFiles
import FlagHistory
import Foundation

/// A file that was being replaced when the process ended.
///
/// What the replacement displaced tells whether it took place: it lies beside the file until the change is final.
struct InterruptedFile {
    /// How far the replacement came.
    enum Condition {
        /// It did not take place, or was taken back.
        case notReplaced
        /// The file was replaced; another program may have edited it since.
        case replaced
        /// The file was replaced, and that displaced another program's edit of the same moment.
        case editDisplaced
        /// Besides that, a program has edited the file since: only a person can tell which of the two edits is to stay.
        case crossed
        /// The file holds what neither the change nor the history knows, and nothing was displaced.
        case foreign
    }

    let file: ChangeIntent.File
    let url: URL
    let replacement: FileReplacement
    let condition: Condition
    /// What the replacement displaced, and where that is; `nil` where it isn't there.
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

    /// Undoes the replacement, unless another program has edited the file since; that edit stays.
    ///
    /// A crash on the way leaves what another call finishes.
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
            // What was displaced is gone, but the intent tells what it held.
            guard let current, let content = file.edit?.undone(in: current.data),
                ContentHash.sha256(content) == file.hashBefore
            else { return .foreign }
            let temporary = try AtomicFile.writeTemporary(
                content, beside: url, mode: current.signature.mode, writer: FlagFiles.temporaryWriter)
            try AtomicFile.rename(temporary, to: url)
        }
        return condition == .editDisplaced ? .edited : .putBack
    }

    /// SHA-256 of what the file holds now; `nil` where it is gone.
    func currentHash() throws(FileAccessError) -> Data? {
        try FileReading.read(url)?.hash
    }

    /// Why only a person can decide.
    var startError: ChangeServiceStartError {
        .file(
            url.path(percentEncoded: false),
            "two edits of it crossed with a change; one is kept as \((displaced ?? replacement.temporary).lastPathComponent) beside it.",
            remedy: "Move that file elsewhere, compare the two, then try again.")
    }
}
