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
        let url = target.provider.url
        let temporary: URL
        do {
            temporary = try AtomicFile.writeTemporary(
                edited.source, beside: url, mode: target.reading.signature.mode,
                writer: "flagboard")
        } catch {
            throw ChangeRefusal(writing: error)
        }
        let intent: ChangeIntent.ID
        do {
            intent = try history.begin(
                ChangeIntent(
                    file: FileRole.values(target.provider.name).rawValue, path: url.path(percentEncoded: false),
                    temporaryName: temporary.lastPathComponent, hashBefore: target.reading.hash,
                    hashAfter: ContentHash.sha256(edited.source), contentAfter: edited.source, events: events,
                    at: options.clock()))
        } catch {
            discard(temporary)
            throw ChangeRefusal(storing: error)
        }
        do {
            guard try FileReading.read(url)?.hash == target.reading.hash else {
                try abandon(intent, temporary)
                return nil
            }
            try AtomicFile.rename(temporary, to: url)
        } catch let error as FileAccessError {
            try abandon(intent, temporary)
            throw ChangeRefusal(writing: error)
        } catch let refusal as ChangeRefusal {
            throw refusal
        } catch {
            throw ChangeRefusal(.unavailable, "\(error)", remedy: "Look at the disk, then try again.")
        }
        do {
            return try history.finish(intent, appending: events)
        } catch {
            throw putBack(target, after: error)
        }
    }

    /// Takes back an intent whose change did not take place.
    private func abandon(_ intent: ChangeIntent.ID, _ temporary: URL) throws(ChangeRefusal) {
        discard(temporary)
        do {
            try history.abandon(intent, appending: [])
        } catch {
            suspension = "A change could not be taken back in the history: \(error.description)"
            throw ChangeRefusal(storing: error)
        }
    }

    /// Restores the file when the history could not take the change, and stops writing until a restart has recovered.
    private func putBack(_ target: ChangeTarget, after error: HistoryStoreError) -> ChangeRefusal {
        do {
            let original = try AtomicFile.writeTemporary(
                target.reading.data, beside: target.provider.url, mode: target.reading.signature.mode,
                writer: "flagboard")
            try AtomicFile.rename(original, to: target.provider.url)
            suspension = "The history could not record the last change, which was taken back: \(error.description)"
        } catch let restoring {
            suspension =
                "The history could not record the last change (\(error.description)), nor could the file be "
                + "restored (\(restoring)); a restart decides what became of it."
        }
        return ChangeRefusal(storing: error)
    }

    /// A temporary file that can't be removed does no harm: the next start removes it.
    private func discard(_ temporary: URL) {
        do {
            try FileManager.default.removeItem(at: temporary)
        } catch {
            options.log("\(temporary.lastPathComponent) could not be removed: \(error.localizedDescription)")
        }
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
