import DurableFiles
import FeatureFlags
import Foundation
import Synchronization

/// The flags in a folder of source code; reads only changed files again.
package final class SourceIndex: Sendable {
    package struct Findings: Sendable {
        package let references: FlagReferences
        package let problems: [SourceProblem]
        package let count: Int
        let hashes: [String: Int]

        /// Checks that the findings come from this text.
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
        /// `true` if any later change must show in the signature.
        let isSettled: Bool
        let facts: Result<SourceFacts, SourceProblem>
        /// The hash of the text; `nil` if it can't be read.
        let hash: Int?
    }

    package let folder: SourceFolder
    private let state = Mutex(State())
    private let program: SourceProgram
    /// One look at a time; the last findings stay available meanwhile.
    let turn = DispatchQueue(label: "flagboard.source", qos: .utility)

    package init(_ folder: SourceFolder, _ program: SourceProgram) { (self.folder, self.program) = (folder, program) }

    /// `nil` before the first look has ended.
    package var findings: Findings? { state.withLock(\.findings) }

    /// Looks at the folder on a thread of its own, so that nothing else waits.
    ///
    /// - Throws: `CancellationError` once the task is cancelled; the thread ends when it notices.
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

/// A look beside a task, which stops waiting once it is cancelled.
final class SourceLook: Sendable {
    private struct State {
        var isStopped = false
        var continuation: CheckedContinuation<SourceIndex.Findings, any Error>?
        var reader: Process?
    }

    private let state = Mutex(State())

    /// Begins the look; returns `false` and resumes the task if it was stopped before.
    func begin(_ continuation: CheckedContinuation<SourceIndex.Findings, any Error>) -> Bool {
        let begins = state.withLock { state in
            if !state.isStopped { state.continuation = continuation }
            return !state.isStopped
        }
        if !begins { continuation.resume(throwing: CancellationError()) }
        return begins
    }

    /// Does nothing if the task was cancelled.
    func end(_ outcome: Result<SourceIndex.Findings, any Error>) { takeContinuation()?.resume(with: outcome) }

    /// Resumes the task without an outcome, and ends the reader.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.reader?.terminate()
        }
        takeContinuation()?.resume(throwing: CancellationError())
    }

    func check() throws(CancellationError) {
        if state.withLock(\.isStopped) { throw CancellationError() }
    }

    /// Ends a process once the look is stopped; `nil` if the last one has ended.
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
