import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The reason why the change service can't start.
///
/// The values files and the manifest are then untouched.
public struct ChangeServiceStartError: Error, CustomStringConvertible, Sendable {
    private enum Cause: Sendable {
        case file(path: String, problem: String, remedy: String)
        case lockUnavailable(path: String, cause: String)
        case alreadyServed(path: String, holder: String, otherName: String)
        case history(HistoryStoreError)
    }

    private let cause: Cause

    static func file(_ path: String, _ problem: String, remedy: String) -> ChangeServiceStartError {
        ChangeServiceStartError(cause: .file(path: path, problem: problem, remedy: remedy))
    }

    static func manifest(_ url: URL, _ fileProblem: FileProblem, remedy: String) -> ChangeServiceStartError {
        let path = url.path(percentEncoded: false)
        guard fileProblem.isContentAtFault else {
            return .file(path, "can't read the manifest: \(fileProblem.fault)", remedy: "Fix this, then start again.")
        }
        return .file(
            path, "invalid manifest:\n\(fileProblem.fault)", remedy: "\(remedy). The file was not changed.")
    }

    static func lockUnavailable(_ path: String, cause: String) -> ChangeServiceStartError {
        ChangeServiceStartError(cause: .lockUnavailable(path: path, cause: cause))
    }

    static func alreadyServed(
        _ path: String, by holder: String, as otherName: String
    ) -> ChangeServiceStartError {
        ChangeServiceStartError(cause: .alreadyServed(path: path, holder: holder, otherName: otherName))
    }

    static func history(_ error: HistoryStoreError) -> ChangeServiceStartError {
        ChangeServiceStartError(cause: .history(error))
    }

    /// The process that already serves the file; `nil` for other problems.
    public var holder: String? {
        if case .alreadyServed(_, let holder, _) = cause { holder } else { nil }
    }

    static func unlessFailing<Value>(
        _ files: FlagFiles, _ body: () throws -> Value
    ) throws(ChangeServiceStartError) -> Value {
        do {
            return try body()
        } catch let error as HistoryStoreError {
            throw .history(error)
        } catch let error as ChangeServiceStartError {
            throw error
        } catch {
            let cause = (error as? FileAccessError)?.description ?? "\(error)"
            throw .file(files.values.path(percentEncoded: false), cause, remedy: "Fix this, then start again.")
        }
    }

    /// The file, the problem and the remedy.
    public var description: String {
        switch cause {
        case .file(let path, let problem, let remedy): "\(path): \(problem)\n\(remedy)"
        case .lockUnavailable(let path, let cause):
            """
            \(path): can't lock the file: \(cause)
            Flagboard needs permission to write beside the files that it serves. Otherwise, start it with --read-only \
            and --history in a writable folder.
            """
        case .alreadyServed(let path, let holder, let otherName):
            if otherName != path {
                """
                \(path) is the same file as \(otherName) (a hard link), which is already served by \(holder).
                Use that server. To serve a separate file, replace one of the two with a copy.
                """
            } else {
                "\(path) is already served by \(holder).\nUse that server, or stop it first."
            }
        case .history(let error): error.description
        }
    }
}
