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
    /// - Throws: ``ChangeRefusal``; neither file nor history hold the change then, unless it says so.
    public func apply(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> ChangeOutcome {
        do throws(ChangeRefusal) {
            for _ in 1...Self.maximumTries {
                if let outcome = try takingTurns(change, by: author) { return outcome }
            }
        } catch {
            if error.isDenial { recordDenied(change, by: author, error) }
            throw error
        }
        throw ChangeRefusal(
            .unavailable, key: change.key, "\(change.key): another program keeps changing the file.",
            remedy: "Nothing was changed. Try again when that program is done.")
    }

    /// How often a change is tried while another program changes the file at the same moment.
    private static let maximumTries = 5

    /// Makes an attempt while no program that takes turns (``FolderTurn``) writes the file.
    private func takingTurns(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> ChangeOutcome? {
        guard !options.isReadOnly, let url = file(for: change)?.provider.url else {
            return try attempt(change, by: author)
        }
        let result: Result<ChangeOutcome?, ChangeRefusal>
        do {
            result = try FolderTurn.take(beside: url) {
                Result { () throws(ChangeRefusal) in try attempt(change, by: author) }
            }
        } catch {
            throw ChangeRefusal(writing: error)
        }
        return try result.get()
    }

    /// - Returns: `nil` where another program changed the file meanwhile.
    private func attempt(_ change: Change, by author: ChangeAuthor) throws(ChangeRefusal) -> ChangeOutcome? {
        try refresh()
        guard let definition = currentCatalogue()[change.key]?.definition else { throw .unknown(change.key) }
        if author.role == .viewer { throw .viewer(change.key, author.name) }
        try checkAllowed(change, definition)
        let target = try target(of: change)
        let before = try storedValue(of: change.key, in: target.document)
        try checkRevision(change, before)
        let edited = try edit(target.document, change.key, to: try newValue(change, definition, replacing: before))
        guard edited.source != target.document.source else { return .unchanged }
        // A property list does not store every value to the last digit, so the row says what the file will.
        let after = try storedValue(of: change.key, in: edited)
        let event = HistoryEvent(
            batch: UUID(), at: options.clock(), actor: author.name, role: author.role.rawValue, origin: author.origin,
            kind: after == nil ? .reset : .set, provider: target.provider.name, key: change.key,
            type: definition.type, before: before, after: after, reason: change.reason,
            requestID: author.requestID, fileHashBefore: target.reading.hash,
            fileHashAfter: ContentHash.sha256(edited.source))
        return try commit(edited, over: target, recording: [event])?.first.map(ChangeOutcome.applied)
    }

    /// The rules that hold whatever the value is.
    private func checkAllowed(_ change: Change, _ definition: FlagDefinition) throws(ChangeRefusal) {
        if options.isReadOnly { throw .readOnly(change.key) }
        if let suspension {
            throw ChangeRefusal(
                .unavailable, key: change.key, suspension.description,
                remedy: "Restart Flagboard: it recovers at start-up.")
        }
        if case .failure(let obstacle) = workspace.manifest.content {
            throw ChangeRefusal(
                .unavailable, key: change.key, "\(change.key) can't be changed now. \(obstacle.description)",
                remedy: "Changes are possible as soon as the manifest is valid again.")
        }
        if definition.metadata.isLocked {
            throw .locked(change.key, manifest: files.manifest.lastPathComponent)
        }
        let reached = workspace.definitions(reachedFrom: change.key).map(\.metadata)
        if !options.showsInternal, reached.contains(where: \.isInternal) { throw .unknown(change.key) }
        if reached.contains(where: { $0.isLocked || $0.isInternal }) { throw .reachesLocked(change.key) }
    }

    /// The file that a change asks for: the one that it names, else the first writable one.
    func file(for change: Change) -> Workspace.Values? {
        guard let name = change.provider else { return workspace.values.first { $0.provider.isWritable } }
        return workspace.values.first { $0.provider.name == name }
    }

    /// The file that a change goes to, readable and writable.
    private func target(of change: Change) throws(ChangeRefusal) -> ChangeTarget {
        guard let file = file(for: change) else {
            throw ChangeRefusal(
                .notAllowed, key: change.key,
                change.provider.map { "There is no provider \($0.shortened(to: 100))." }
                    ?? "No provider can be written to.",
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
            let obstacles = workspace.obstacles.map(\.description).joined(separator: " ")
            throw ChangeRefusal(
                .unavailable, key: change.key, "\(change.key) can't be changed now. \(obstacles)",
                remedy: "Changes are possible as soon as the file is valid again. It is left as it is.")
        }
    }

    private func storedValue(
        of key: FlagKeyPath, in document: PropertyListDocument
    ) throws(ChangeRefusal) -> FlagValue? {
        do {
            return try document.value(at: key, dictionaryKeys: workspace.dictionaryKeys)
        } catch {
            throw .group(key, error)
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
        } catch  where error.isUnsafe {
            options.log(error.description)
            throw ChangeRefusal(
                .invalid, key: key, "\(key) can't be changed here: other values would change with it.",
                remedy: "Nothing was changed. Edit the file by hand, and report this with what the log says.")
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
