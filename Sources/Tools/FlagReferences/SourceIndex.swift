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
        /// Those of the texts in which it was found.
        let hashes: [String: Int]

        /// Whether what was found in a file was found in a text, or the file has another one by now.
        ///
        /// - Returns: `false` where it was another text, and where the file was not read.
        package func isOf(_ text: String, in file: String) -> Bool { hashes[file] == text.hashValue }
    }

    private struct State {
        var files: [String: Reading] = [:]
        var known: Set<FlagKeyPath> = []
        var generated: [FlagKeyPath: String] = [:]
        var findings: Findings?
    }

    private struct Reading {
        let signature: AtomicFile.Signature
        /// Whether any later change must show in the signature.
        let isSettled: Bool
        let facts: Result<SourceFacts, SourceProblem>
        /// That of the text in which the facts were found.
        let hash: Int?
    }

    /// The folder.
    package let folder: SourceFolder
    private let state = Mutex(State())
    private let program: SourceProgram
    /// One look at a time; what was found last can be asked for meanwhile.
    let turn = DispatchQueue(label: "flagboard.source", qos: .utility)

    /// - Parameters:
    ///   - folder: The folder.
    ///   - program: The program that reads the files.
    package init(_ folder: SourceFolder, _ program: SourceProgram) { (self.folder, self.program) = (folder, program) }

    /// What was found at the last look; `nil` before the first has ended.
    package var findings: Findings? { state.withLock(\.findings) }

    /// Looks at the folder on a thread of its own, so that nothing else waits for it.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; the thread ends once it notices.
    package func look(for known: Set<FlagKeyPath>, generated: [FlagKeyPath: String] = [:]) async throws -> Findings {
        let look = SourceLook()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard look.begin(continuation) else { return }
                let thread = Thread { [self] in
                    look.end(Result { try turn.sync { try lookNow(for: known, generated, look) } })
                }
                thread.name = "flagboard.source"
                thread.start()
            }
        } onCancel: {
            look.stop()
        }
    }

    private func lookNow(
        for known: Set<FlagKeyPath>, _ generated: [FlagKeyPath: String], _ look: SourceLook
    ) throws -> Findings {
        let before = state.withLock { $0 }
        let now = Date()
        let (found, folderProblems) = folder.files()
        var (files, isSame) = ([String: Reading](), found.count == before.files.count)
        let process = SourceProcess(program, for: look)
        defer { process.end() }
        for (path, signature) in found {
            try look.check()
            if let reading = before.files[path], reading.isSettled, reading.signature == signature {
                files[path] = reading
                continue
            }
            isSame = false
            let text = Result { () throws(SourceProblem) in try folder.text(of: path) }
            let facts = text.flatMap { text in
                Result { () throws(SourceProblem) in try process.facts(in: text, of: path) }
            }
            let hash: Int? = if case .success(let text) = text { text.hashValue } else { nil }
            var isSettled = signature.isSettled(at: now)
            if case .failure(let problem) = facts, !problem.isOfContent { isSettled = false }
            files[path] = Reading(signature: signature, isSettled: isSettled, facts: facts, hash: hash)
        }
        try look.check()
        let problems =
            folderProblems
            + files.values.compactMap { if case .failure(let problem) = $0.facts { problem } else { nil } }
        if isSame, known == before.known, generated == before.generated, let findings = before.findings,
            findings.problems.count == problems.count
        {
            return findings
        }
        let facts = files.compactMapValues { if case .success(let facts) = $0.facts { facts } else { nil } }
        let findings = Findings(
            references: try FlagReferences(facts, known: known, generated: generated, checkStop: look.check),
            problems: problems.sorted { $0.file < $1.file },
            count: files.count, hashes: files.compactMapValues(\.hash))
        state.withLock { $0 = State(files: files, known: known, generated: generated, findings: findings) }
        return findings
    }
}

/// A look at source code that goes on beside a task, which does not wait for it once it is cancelled.
final class SourceLook: Sendable {
    private struct State {
        var isStopped = false
        var continuation: CheckedContinuation<SourceIndex.Findings, any Error>?
        /// Reads a file for the look, which need not be waited for.
        var reader: Process?
    }

    private let state = Mutex(State())

    /// Begins the look.
    ///
    /// - Returns: `false` where the look was stopped before; the task goes on then.
    func begin(_ continuation: CheckedContinuation<SourceIndex.Findings, any Error>) -> Bool {
        let begins = state.withLock { state in
            if !state.isStopped { state.continuation = continuation }
            return !state.isStopped
        }
        if !begins { continuation.resume(throwing: CancellationError()) }
        return begins
    }

    /// Tells the task the outcome, unless the task was cancelled before.
    func end(_ outcome: Result<SourceIndex.Findings, any Error>) { takeContinuation()?.resume(with: outcome) }

    /// Has the task go on without the outcome.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.reader?.terminate()
        }
        takeContinuation()?.resume(throwing: CancellationError())
    }

    /// Whether the look is to go on.
    ///
    /// - Throws: `CancellationError` where it was stopped.
    func check() throws(CancellationError) {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }

    /// Ends a process as soon as the look is stopped.
    ///
    /// - Parameter reader: The process, which runs; `nil` once it has ended.
    func watch(_ reader: Process?) {
        state.withLock { state in
            state.reader = reader
            if state.isStopped { reader?.terminate() }
        }
    }

    private func takeContinuation() -> CheckedContinuation<SourceIndex.Findings, any Error>? {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
    }
}
