import DurableFiles
import FeatureFlags
import Foundation
import Synchronization

/// What a folder of source code says of flags, read anew only where files changed.
package final class SourceIndex: Sendable {
    /// What was found at the last look.
    package struct Findings: Sendable {
        /// The places of flags.
        package let references: FlagReferences
        /// What can't be read.
        package let problems: [SourceProblem]
        /// How many files there are.
        package let count: Int
    }

    private struct State {
        var files: [String: Reading] = [:]
        var known: Set<FlagKeyPath> = []
        var findings: Findings?
    }

    private struct Reading {
        let signature: AtomicFile.Signature
        /// Whether any later change must show in the signature.
        let isSettled: Bool
        let facts: Result<SourceFacts, SourceProblem>
    }

    /// The folder.
    package let folder: SourceFolder
    private let state = Mutex(State())
    /// One look at a time; what was found last can be asked for meanwhile.
    private let turn = DispatchQueue(label: "flagboard.source", qos: .utility)

    /// - Parameter folder: The folder.
    package init(_ folder: SourceFolder) { self.folder = folder }

    /// What was found at the last look; `nil` before the first has ended.
    package var findings: Findings? { state.withLock(\.findings) }

    /// Looks at the folder on a thread of its own, so that nothing else waits for it.
    ///
    /// - Parameter known: The flags that there are.
    /// - Returns: What there is.
    /// - Throws: `CancellationError` where the task was cancelled; the last file is read to its end.
    package func look(for known: Set<FlagKeyPath>) async throws -> Findings {
        let stop = Stop()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread { [self] in
                    continuation.resume(with: Result { try turn.sync { try lookNow(for: known, until: stop) } })
                }
                thread.name = "flagboard.source"
                // Code may be nested deeply, and the parser calls itself for each level.
                thread.stackSize = 64 * 1024 * 1024
                thread.start()
            }
        } onCancel: {
            stop.isAsked.withLock { $0 = true }
        }
    }

    /// Whether a look is to end before its time.
    private final class Stop: Sendable {
        let isAsked = Mutex(false)
    }

    private func lookNow(for known: Set<FlagKeyPath>, until stop: Stop) throws -> Findings {
        let before = state.withLock { $0 }
        let now = Date()
        let (found, folderProblems) = folder.files()
        var (files, isSame) = ([String: Reading](), found.count == before.files.count)
        for (path, signature) in found {
            if stop.isAsked.withLock(\.self) { throw CancellationError() }
            if let reading = before.files[path], reading.isSettled, reading.signature == signature {
                files[path] = reading
                continue
            }
            isSame = false
            let facts = Result { () throws(SourceProblem) in SourceReader.facts(in: try folder.text(of: path)) }
            files[path] = Reading(signature: signature, isSettled: signature.isSettled(at: now), facts: facts)
        }
        let problems =
            folderProblems
            + files.values.compactMap { if case .failure(let problem) = $0.facts { problem } else { nil } }
        if isSame, known == before.known, let findings = before.findings, findings.problems.count == problems.count {
            return findings
        }
        let facts = files.compactMapValues { if case .success(let facts) = $0.facts { facts } else { nil } }
        let findings = Findings(
            references: FlagReferences(facts, known: known), problems: problems.sorted { $0.file < $1.file },
            count: files.count)
        state.withLock { $0 = State(files: files, known: known, findings: findings) }
        return findings
    }
}
