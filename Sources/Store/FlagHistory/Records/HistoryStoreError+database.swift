import DurableFiles
import Foundation
import GRDB

extension HistoryStoreError {
    /// What code inside a transaction throws where SQLite itself sees nothing wrong.
    struct AbortError: Error {
        let problem: Problem

        init(_ problem: Problem) {
            self.problem = problem
        }
    }

    /// Says in the history's words what went wrong in a transaction.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as HistoryStoreError: self = error
        case let error as AbortError: self.init(error.problem, path: path)
        case let error as DatabaseError: self.init(Problem(error), path: path)
        case let error as FileAccessError: self.init(Problem(error), path: path)
        default: self.init(.unexpected("\(error)"), path: path)
        }
    }
}

extension HistoryStoreError.Problem {
    /// The problem within a sentence about one of the files beside the history.
    var clause: String {
        switch self {
        case .companion(let file, let cause): "\(file) can't be used: \(cause)"
        case .full: "the disk is full"
        case .corrupt(let cause), .unexpected(let cause), .device(let cause), .refused(let cause): cause
        default: "\(self)"
        }
    }

    /// What is wrong with a file beside the history.
    init(_ error: FileAccessError) {
        let clause = error.otherKind.map { "it is \($0.name), no regular file; move it away" } ?? error.clause
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
        case .SQLITE_CANTOPEN: self = .cannotOpen("\(cause); check that its folder exists and may be written")
        // SQLite finds no room for its index of the log.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .full
        case .SQLITE_IOERR: self = .device(cause)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: self = .constraint(cause)
        case .SQLITE_TOOBIG: self = .unstorable("it is too large")
        default: self = .unexpected(cause)
        }
    }
}
