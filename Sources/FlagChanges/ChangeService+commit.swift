import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangeService {
    /// Puts edited bytes in place of a file and the change into the history, such that a crash at any point leaves both
    /// or neither: a durable intent first, then the rename, then the rows.
    ///
    /// - Returns: The rows, or `nil` where somebody else changed the file meanwhile, and nothing was done.
    func commit(
        _ edited: PropertyListDocument, over target: ChangeTarget, recording events: [HistoryEvent]
    ) throws(ChangeRefusal) -> [HistoryRecord]? {
        let temporary = try write(edited.source, for: target)
        let intent: ChangeIntent.ID
        do {
            intent = try history.begin(
                ChangeIntent(
                    role: .values, path: target.provider.path, temporaryName: temporary.lastPathComponent,
                    hashBefore: target.reading.hash, hashAfter: ContentHash.sha256(edited.source),
                    contentAfter: edited.source, events: events, at: options.clock()))
        } catch {
            discard(temporary)
            throw ChangeRefusal(storing: error)
        }
        guard try install(temporary, over: target, intent) else { return nil }
        do {
            try options.synchronizeFolder(target.provider.url)
        } catch {
            throw putBack(target, because: error.description, isFull: error.isFull)
        }
        do {
            return try history.finish(intent, appending: events)
        } catch {
            throw putBack(target, because: error.description, isFull: error.isFull)
        }
    }

    private func write(_ source: Data, for target: ChangeTarget) throws(ChangeRefusal) -> URL {
        do {
            return try AtomicFile.writeTemporary(
                source, beside: target.provider.url, mode: target.reading.signature.mode,
                writer: Recovery.temporaryWriter)
        } catch {
            throw ChangeRefusal(writing: error)
        }
    }

    /// Replaces the file, if it still holds what the change was made of.
    ///
    /// - Returns: Whether it was replaced; where not, the intent is gone.
    private func install(
        _ temporary: URL, over target: ChangeTarget, _ intent: ChangeIntent.ID
    ) throws(ChangeRefusal) -> Bool {
        let url = target.provider.url
        do throws(FileAccessError) {
            if try FileReading.read(url)?.hash == target.reading.hash {
                try AtomicFile.rename(temporary, to: url)
                return true
            }
        } catch {
            try abandon(intent, temporary)
            throw ChangeRefusal(writing: error)
        }
        try abandon(intent, temporary)
        return false
    }

    /// Takes back an intent whose change did not take place.
    private func abandon(_ intent: ChangeIntent.ID, _ temporary: URL) throws(ChangeRefusal) {
        discard(temporary)
        do {
            try history.abandon(intent, appending: [])
        } catch {
            suspension = Obstacle("A change could not be taken back in the history: \(error.description)")
            throw ChangeRefusal(storing: error)
        }
    }

    /// Restores the file when the change could not be completed, and stops writing until a restart has recovered.
    private func putBack(_ target: ChangeTarget, because cause: String, isFull: Bool) -> ChangeRefusal {
        options.log("a change of \(target.provider.path) is taken back: \(cause)")
        let url = target.provider.url
        do {
            try AtomicFile.rename(try write(target.reading.data, for: target), to: url)
        } catch {
            suspension = Obstacle(
                "The last change is in \(url.lastPathComponent), but it could be neither completed nor taken back.")
            return ChangeRefusal(
                isFull ? .full : .unavailable,
                "The change is in \(url.lastPathComponent), but it could not be completed (\(cause)), and the file could "
                    + "not be put back (\(error)).",
                remedy: "Don't repeat the change: restart Flagboard, which then records what the file holds.")
        }
        do {
            try options.synchronizeFolder(url)
        } catch {
            options.log("\(url.lastPathComponent) was put back, which a loss of power may undo: \(error.description)")
        }
        suspension = Obstacle("The last change could not be completed and was taken back: \(cause)")
        return ChangeRefusal(
            isFull ? .full : .unavailable, "The change could not be completed: \(cause)",
            remedy: "The file was put back as it was. Remove the cause, then restart Flagboard and try again.")
    }

    /// A temporary file that can't be removed does no harm: the next start removes it.
    private func discard(_ temporary: URL) {
        let path = temporary.path(percentEncoded: false)
        guard unlink(path) != 0, errno != ENOENT else { return }
        options.log("\(path) could not be removed: \(String(cString: strerror(errno)))")
    }
}

extension ChangeRefusal {
    /// A refusal because the history can't store or read.
    init(storing error: HistoryStoreError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy:
                "Nothing was changed. Make the history writable (room, rights, no other program on it), then try again."
        )
    }

    /// A refusal because the values file can't be replaced.
    init(writing error: FileAccessError) {
        self.init(
            error.isFull ? .full : .unavailable, error.description,
            remedy: "Nothing was changed. Make the file and its folder writable, then try again.")
    }
}
