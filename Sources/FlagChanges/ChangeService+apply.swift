import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangeService {
    /// Makes a change: checks every rule, edits the file's bytes, and records it.
    ///
    /// - Parameters:
    ///   - change: What to change.
    ///   - author: Who asks.
    /// - Returns: The history's row, or that there was nothing to do.
    /// - Throws: ``ChangeRefusal``; neither file nor history hold the change then.
    public func apply(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> ChangeOutcome {
        for _ in 1...Self.maximumTries {
            if let outcome = try attempt(change, by: author) { return outcome }
        }
        throw ChangeRefusal(
            .unavailable, key: change.key, "\(change.key): another program keeps changing the file.",
            remedy: "Nothing was changed. Try again when that program is done.")
    }

    /// How often a change is tried while another program changes the file at the same moment.
    private static let maximumTries = 5

    /// - Returns: `nil` where another program changed the file meanwhile.
    private func attempt(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> ChangeOutcome? {
        try refresh()
        guard let entry = currentCatalogue()[change.key] else { throw .unknown(change.key) }
        try checkAllowed(change, entry, author)
        let target = try target(of: change)
        let before = try storedValue(of: change.key, in: target.document)
        try checkRevision(change, before)
        let after = try newValue(change, entry.definition, replacing: before)
        guard before != after else { return .unchanged }
        let edited = try edit(target.document, change.key, to: after)
        let event = HistoryEvent(
            batch: UUID(), at: options.clock(), actor: author.name, role: author.role, origin: author.origin,
            kind: after == nil ? .reset : .set, provider: target.provider.name, key: change.key,
            type: entry.definition.type, before: before, after: after, reason: change.reason,
            requestID: author.requestID, fileHashBefore: target.reading.hash,
            fileHashAfter: ContentHash.sha256(edited.source))
        return try commit(edited, over: target, recording: [event])?.first.map(ChangeOutcome.applied)
    }

    /// The rules that hold whatever the value is.
    private func checkAllowed(
        _ change: Change, _ entry: FlagEntry, _ author: ChangeAuthor
    ) throws(ChangeRefusal) {
        if options.isReadOnly { throw .readOnly() }
        if let suspension {
            throw ChangeRefusal(
                .unavailable, key: change.key, suspension, remedy: "Restart Flagboard: it recovers at start-up.")
        }
        if case .failure(let problem) = workspace.manifest.content {
            throw ChangeRefusal(
                .unavailable, key: change.key, "\(change.key) can't be changed now: \(problem.description).",
                remedy: "Correct the manifest; changes are possible as soon as it is valid again.")
        }
        if entry.definition.metadata.isLocked {
            let refusal = ChangeRefusal.locked(change.key, manifest: files.manifest.lastPathComponent)
            try recordDenied(change, entry.definition, author, refusal)
            throw refusal
        }
    }

    private func recordDenied(
        _ change: Change, _ definition: FlagDefinition, _ author: ChangeAuthor, _ refusal: ChangeRefusal
    ) throws(ChangeRefusal) {
        let now = options.clock()
        guard deniedAttempts.admits(at: now) else { return }
        let event = HistoryEvent(
            batch: UUID(), at: now, actor: author.name, role: author.role, origin: author.origin, kind: .denied,
            provider: change.provider, key: change.key, type: definition.type, before: nil, after: nil,
            reason: refusal.description, requestID: author.requestID)
        do {
            _ = try history.append([event], head: nil)
        } catch {
            throw ChangeRefusal(storing: error)
        }
    }

    /// The file that a change goes to, readable and writable.
    private func target(of change: Change) throws(ChangeRefusal) -> ChangeTarget {
        let named = change.provider.map { name in workspace.values.first { $0.provider.name == name } }
        guard let file = named ?? workspace.values.first(where: \.provider.isWritable) else {
            throw ChangeRefusal(
                .notAllowed, key: change.key,
                change.provider.map { "There is no provider \($0)." } ?? "No provider can be written to.",
                remedy: "The flag's page lists the providers; choose one that can be written to.")
        }
        guard file.provider.isWritable else {
            throw ChangeRefusal(
                .notAllowed, key: change.key, "The provider \(file.provider.name) is read-only.",
                remedy: "Choose a provider that can be written to.")
        }
        switch file.content {
        case .success(let document):
            guard let reading = file.reading else { fallthrough }
            return ChangeTarget(provider: file.provider, reading: reading, document: document)
        case .failure:
            throw ChangeRefusal(
                .unavailable, key: change.key,
                "\(change.key) can't be changed now. \(workspace.problems.joined(separator: " "))",
                remedy: "Repair the file; changes are possible as soon as it is valid again. It is left as it is.")
        }
    }

    private func storedValue(
        of key: FlagKeyPath, in document: PropertyListDocument
    ) throws(ChangeRefusal) -> FlagValue? {
        do {
            return try document.value(at: key)
        } catch {
            throw .invalid(key, error)
        }
    }

    private func checkRevision(_ change: Change, _ stored: FlagValue?) throws(ChangeRefusal) {
        guard let revision = change.revision, revision != FlagRevision(of: stored) else { return }
        throw ChangeRefusal(
            .conflict(current: stored), key: change.key,
            "\(change.key) was changed by somebody else while you were editing: it is now "
                + "\(stored?.briefDescription ?? "without a value in this provider").",
            remedy: "Look at the value it has now; save again to replace it with yours.")
    }

    private func newValue(
        _ change: Change, _ definition: FlagDefinition, replacing before: FlagValue?
    ) throws(ChangeRefusal) -> FlagValue? {
        do {
            switch change.action {
            case .reset: return nil
            case .setText(let text): return try definition.parse(text, replacing: before)
            case .setValue(let value):
                _ = try definition.interpret(value)
                return value
            }
        } catch {
            throw .invalid(change.key, error)
        }
    }

    private func edit(
        _ document: PropertyListDocument, _ key: FlagKeyPath, to value: FlagValue?
    ) throws(ChangeRefusal) -> PropertyListDocument {
        do {
            guard let value else { return try document.removing(key) }
            return try document.setting(value, at: key)
        } catch {
            throw .invalid(key, FlagValueProblem(error.description))
        }
    }
}

/// A values file that a change goes to, as it was read.
struct ChangeTarget {
    let provider: FlagFiles.Provider
    let reading: FileReading
    let document: PropertyListDocument
}
