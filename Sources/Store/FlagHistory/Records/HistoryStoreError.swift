import DurableFiles
import Foundation
import GRDB

/// A failed read or write of the history; nothing was changed.
package struct HistoryStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Problem: Hashable {
        case cannotOpen(String)
        case notADatabase
        case notAHistory
        case tooNew
        case tooOld
        case unreleased
        case busy
        case full
        case corrupt(String)
        case lost(String)
        case notWritable
        case device(String)
        case constraint(String)
        case unstorable(String)
        case unknownIntent(Int64)
        case companion(String, String)
        case refused(String)
        case unexpected(String)
    }

    private let problem: Problem
    /// The history; empty within a transaction, which doesn't know it.
    package private(set) var path: String

    init(_ problem: Problem, path: String = "") {
        self.problem = problem
        self.path = path
    }

    /// Makes the error that a store throws of any error within it.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HistoryStoreError:
            self = error
            if self.path.isEmpty { self.path = path }
        case let error as DatabaseError: self.init(Problem(error), path: path)
        case let error as FileAccessError: self.init(Problem(error), path: path)
        default: self.init(.unexpected("\(error)"), path: path)
        }
    }

    package static func missing(_ url: URL) -> HistoryStoreError {
        HistoryStoreError(
            .cannotOpen(
                "the file doesn't exist; run flagboard serve on the values file once, or specify the "
                    + "history with --history"), path: url.path)
    }

    /// `true` if the disk, or the file's quota, is full.
    package var isFull: Bool { problem == .full }

    /// `true` if another process holds the history: a retry would wait as long.
    package var isBusy: Bool { problem == .busy }

    /// `true` if the file holds no trustworthy history.
    package var isDamage: Bool {
        switch problem {
        case .corrupt, .notADatabase, .notAHistory: true
        default: false
        }
    }

    /// `true` if a file of the history was removed, replaced or cut short while open.
    package var isLost: Bool { if case .lost = problem { true } else { false } }

    package static func refusal(_ cause: String, path: String) -> HistoryStoreError {
        HistoryStoreError(.refused(cause), path: path)
    }

    /// A sentence; within a transaction, a clause.
    package var description: String {
        guard !path.isEmpty else { return problem.clause }
        return switch problem {
        case .cannotOpen(let cause):
            "Can't open the history \(path): \(cause)."
        case .notADatabase:
            "The history \(path) is not an SQLite database. It was left as it is. Move it away, or choose another file "
                + "for the history."
        case .notAHistory:
            "\(path) is an SQLite database, but not a Flagboard history. It was left as it is. Choose another file for "
                + "the history."
        case .tooNew:
            "The history \(path) was written by a newer version of Flagboard. Update this one, or choose another file."
        case .tooOld:
            "The history \(path) was written by an older version of Flagboard, or its creation was interrupted. Run "
                + "flagboard serve once to update it."
        case .unreleased:
            "The history \(path) was written before Flagboard's first release, in a format that is no longer "
                + "supported. It was left as it is. Move it, its .key and its .checkpoints to another folder, then "
                + "start again with a new, empty one."
        case .busy:
            "The history \(path) is locked by another process. Try again, or stop that process."
        case .full:
            "The history \(path) can't grow because the disk is full. Free disk space and try again."
        case .corrupt(let cause):
            "The history \(path) is damaged (\(cause)). Keep a copy of it, stop Flagboard, and restore it from a backup."
        case .lost(let file):
            "The history \(path) was changed by another program: \(file) was removed, replaced or truncated while "
                + "Flagboard had it open. Put it back, or restart Flagboard; if the history is gone, it starts a new, "
                + "empty one."
        case .notWritable:
            "The history \(path) is not writable. Allow writing to the file and its folder."
        case .device(let cause):
            "Can't read or write the history \(path) because of a disk error (\(cause)). Check the disk and try again."
        case .constraint(let cause):
            "Can't add a row to the history \(path): \(cause)."
        case .unstorable(let cause):
            "Can't store this in the history \(path): \(cause)."
        case .unknownIntent(let id):
            "The history \(path) has no open intent \(id): it is already finished or never started."
        case .companion(let file, let cause):
            "Can't use the file \(file), which belongs to the history \(path): \(cause)."
        case .refused(let cause):
            "The history \(path) was left as it is: \(cause)."
        case .unexpected(let cause):
            "Can't use the history \(path): \(cause)."
        }
    }
}

extension HistoryStoreError.Problem {
    var clause: String {
        switch self {
        case .companion(let file, let cause): "can't use \(file): \(cause)"
        case .full: "the disk is full"
        case .corrupt(let cause), .unexpected(let cause), .device(let cause), .refused(let cause): cause
        default: "\(self)"
        }
    }

    init(_ error: FileAccessError) {
        let clause = error.otherKind.map { "it is \($0.name), not a regular file; move it away" } ?? error.clause
        self = error.isFull ? .full : .companion(error.path, clause)
    }

    init(_ error: DatabaseError) {
        let cause = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_FULL: self = .full
        case .SQLITE_NOTADB: self = .notADatabase
        case .SQLITE_CORRUPT, .SQLITE_FORMAT: self = .corrupt(cause)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .notWritable
        case .SQLITE_CANTOPEN: self = .cannotOpen("\(cause); check that its folder exists and is writable")
        // SQLite has no room for its index of the log.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full
        case .SQLITE_IOERR: self = .device(cause)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .constraint(cause)
        case .SQLITE_TOOBIG: self = .unstorable("it is too large")
        default: self = .unexpected(cause)
        }
    }
}
