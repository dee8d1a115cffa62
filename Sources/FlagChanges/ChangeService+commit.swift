import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangeService {
    /// Puts edited bytes in place of a file and the change into the history, such that a crash at any point leaves both
    /// or neither: a durable intent first, then the replacement, then the rows.
    ///
    /// What stood in the file is kept until the rows are durable, so that a change that can't be completed is taken back
    /// without room on the disk.
    ///
    /// - Returns: The rows, or `nil` where somebody else changed the file meanwhile, and nothing was done.
    func commit(
        _ edited: PropertyListDocument, over target: ChangeTarget, recording events: [HistoryEvent]
    ) throws(ChangeRefusal) -> [HistoryRecord]? {
        let replacement = try prepare(edited.source, for: target)
        let intent: ChangeIntent.ID
        do {
            intent = try history.begin(
                ChangeIntent(
                    role: .values, path: target.provider.path,
                    temporaryName: replacement.temporary.lastPathComponent, hashBefore: target.reading.hash,
                    hashAfter: ContentHash.sha256(edited.source), contentAfter: edited.source, events: events,
                    at: options.clock()))
        } catch {
            replacement.discard(options.log)
            throw ChangeRefusal(storing: error)
        }
        guard try install(replacement, over: target, intent, edited.source) else { return nil }
        do {
            try replacement.synchronize()
        } catch {
            throw takeBack(replacement, edited.source, because: error.description, isFull: error.isFull)
        }
        let records: [HistoryRecord]
        do {
            records = try history.finish(intent, appending: events)
        } catch {
            throw takeBack(replacement, edited.source, because: error.description, isFull: error.isFull)
        }
        replacement.discard(options.log)
        return records
    }

    private func prepare(_ source: Data, for target: ChangeTarget) throws(ChangeRefusal) -> FileReplacement {
        let url = target.provider.url
        do {
            let temporary = try AtomicFile.writeTemporary(
                source, beside: url, mode: target.reading.signature.mode, writer: Recovery.temporaryWriter)
            return FileReplacement(
                url: url, temporary: temporary, exchanges: exchanges.contains(url), actions: options.actions)
        } catch {
            throw ChangeRefusal(writing: error)
        }
    }

    /// Replaces the file, if it still holds what the change was made of.
    ///
    /// - Returns: Whether it was replaced; where not, the intent is gone and the file is as somebody else left it.
    private func install(
        _ replacement: FileReplacement, over target: ChangeTarget, _ intent: ChangeIntent.ID, _ new: Data
    ) throws(ChangeRefusal) -> Bool {
        let isInstalled: Bool
        do throws(FileAccessError) {
            let isUntouched = try FileReading.read(replacement.url)?.hash == target.reading.hash
            if isUntouched { try replacement.install() }
            isInstalled = isUntouched
        } catch {
            try abandon(intent, replacement)
            throw ChangeRefusal(writing: error)
        }
        guard isInstalled else {
            try abandon(intent, replacement)
            return false
        }
        let displaced: FileReading?
        do throws(FileAccessError) {
            displaced = try FileReading.read(replacement.displaced)
        } catch {
            throw takeBack(replacement, new, because: error.description, isFull: error.isFull)
        }
        if displaced?.hash == target.reading.hash { return true }
        try giveWay(replacement, displaced, intent, new)
        return false
    }

    /// Puts back what somebody else wrote at the very moment of the replacement; the change is then tried on top of it.
    private func giveWay(
        _ replacement: FileReplacement, _ displaced: FileReading?, _ intent: ChangeIntent.ID, _ new: Data
    ) throws(ChangeRefusal) {
        do throws(FileAccessError) {
            if try !replacement.takeBack(new) { keep(displaced, of: replacement) }
        } catch {
            throw suspended(
                "\(replacement.url.lastPathComponent) was edited at the same moment, and that edit could not be put back: "
                    + error.description, isFull: error.isFull)
        }
        try abandon(intent, replacement)
    }

    /// Keeps an edit that yet another program has overwritten by now: in the history, and beside the file.
    private func keep(_ displaced: FileReading?, of replacement: FileReplacement) {
        guard let displaced, let provider = files.providers.first(where: { $0.url == replacement.url }) else { return }
        let name = "\(replacement.url.lastPathComponent).overwritten-\(UUID().uuidString)"
        let kept = replacement.url.deletingLastPathComponent().appending(path: name)
        do {
            try displaced.data.write(to: kept, options: .withoutOverwriting)
            options.log("an edit of \(provider.path) was overwritten by another program; it is kept as \(kept.path)")
        } catch {
            options.log("an edit of \(provider.path) was overwritten by another program, and can't be kept: \(error)")
        }
        do throws(HistoryStoreError) {
            try OutsideEdits(history: history, clock: options.clock).record(
                Workspace.Values(provider: provider, displaced), workspace.definitions)
        } catch {
            options.log("that edit could not be recorded: \(error.description)")
        }
    }

    /// Takes back an intent whose change did not take place.
    private func abandon(_ intent: ChangeIntent.ID, _ replacement: FileReplacement) throws(ChangeRefusal) {
        replacement.discard(options.log)
        do {
            try history.abandon(intent, appending: [])
        } catch {
            suspension = Obstacle("A change could not be taken back in the history: \(error.description)")
            throw ChangeRefusal(storing: error)
        }
    }

    /// Restores the file when the change could not be completed, and stops writing until a restart has recovered.
    private func takeBack(
        _ replacement: FileReplacement, _ new: Data, because cause: String, isFull: Bool
    ) -> ChangeRefusal {
        let url = replacement.url
        options.log("a change of \(url.path(percentEncoded: false)) is taken back: \(cause)")
        do throws(FileAccessError) {
            guard try replacement.takeBack(new) else {
                return suspended(
                    "The change was in \(url.lastPathComponent), but it could not be completed (\(cause)), and another "
                        + "program has written the file since.", isFull: isFull)
            }
        } catch {
            return suspended(
                "The change is in \(url.lastPathComponent), but it could not be completed (\(cause)), and the file could "
                    + "not be put back (\(error)).", isFull: isFull)
        }
        do throws(FileAccessError) {
            try replacement.synchronize()
        } catch {
            options.log("\(url.lastPathComponent) was put back, which a loss of power may undo: \(error.description)")
        }
        suspension = Obstacle("The last change could not be completed and was taken back: \(cause)")
        return ChangeRefusal(
            isFull ? .full : .unavailable, "The change could not be completed: \(cause)",
            remedy: "The file was put back as it was. Remove the cause, then restart Flagboard and try again.")
    }

    /// Stops writing where the file may hold what the history does not.
    private func suspended(_ text: String, isFull: Bool) -> ChangeRefusal {
        suspension = Obstacle("The last change could be neither completed nor taken back.")
        return ChangeRefusal(
            isFull ? .full : .unavailable, text,
            remedy: "Don't repeat the change: restart Flagboard, which then records what the file holds.")
    }
}

extension ChangeRefusal {
    /// A refusal because the history can't store or read.
    init(storing error: HistoryStoreError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: error.isLost
                ? "Nothing was changed."
                : "Nothing was changed. Make the history writable (room, rights, no other program on it), then try again."
        )
    }

    /// A refusal because the values file can't be replaced.
    init(writing error: FileAccessError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: "Nothing was changed. Make the file and its folder writable, then try again.")
    }
}
