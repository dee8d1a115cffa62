import DurableFiles
import FeatureFlags
import Foundation

struct SaveFailure: Hashable, Sendable {
    let refusal: ChangeError
    let files: Set<URL>

    var problem: FileProblem { FileProblem(refusal.description, isLasting: refusal.isOfDamage) }

    /// True if another file than the values has a known obstacle of its own, so that values may still be stored.
    fileprivate func isElsewhere(than values: URL?) -> Bool {
        files.contains { url in
            url != values && AtomicFile.obstacle(toReplacing: url).map { !$0.isFull } ?? false
        }
    }
}

extension ServedFiles {
    func keepSaveFailure(_ failure: SaveFailure) -> Bool {
        // Damage lasts, so that nothing asks whether it is over.
        let isNews = saveFailure?.refusal.isOfDamage ?? true
        saveFailure = failure
        tellUpdates()
        return isNews
    }

    func forgetSaveFailure() {
        guard saveFailure != nil else { return }
        saveFailure = nil
        tellUpdates()
    }

    /// Tests if files as large as those of the failed change can be written now.
    func isStillFailing() async -> Bool {
        guard let failure = saveFailure, !failure.refusal.isOfDamage else { return false }
        // A link may have changed.
        let (replaced, history) = (failure.files.intersection(files.written), files.history)
        let trial = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(FileAccessError) in try Self.tryReplacing(replaced, growing: history)
                    })
            }
        }
        if case .success = trial, saveFailure == failure { forgetSaveFailure() }
        return saveFailure != nil
    }

    /// The size in bytes of a trial, at least as large as what the history stores of a change.
    private static let leastTrial = 65_536

    private static func tryReplacing(_ urls: Set<URL>, growing history: URL) throws(FileAccessError) {
        for url in urls {
            if let obstacle = AtomicFile.obstacle(toReplacing: url) { throw obstacle }
            try tryWriting(max(AtomicFile.look(at: url)?.size ?? 0, leastTrial), beside: url)
        }
        try tryWriting(leastTrial, beside: history)
    }

    private static func tryWriting(_ size: Int, beside url: URL) throws(FileAccessError) {
        let trial = try AtomicFile.writeTemporary(
            Data(count: size), beside: url, mode: 0o600, writer: FlagFiles.temporaryWriter)
        try AtomicFile.remove(trial)
    }

    func urlsAfterLook(of changes: [Change]) -> Set<URL> {
        _ = look()
        return urls(of: changes)
    }

    func placesToSettle() throws(FileAccessError) -> [URL] {
        var places: [URL] = []
        for url in claimed.written where try AtomicFile.hasFolder(url) { places.append(url) }
        return places
    }
}

extension FilesState {
    /// True if a change has found the history damaged, and none was stored since.
    var isHistoryDamaged: Bool { saveFailure?.refusal.isOfDamage ?? false }

    var saveObstacle: FileProblem? {
        let url = workspace.values.first { $0.provider.isWritable && $0.provider.isAsked }?.provider.url
        if let saveFailure, !saveFailure.isElsewhere(than: url) { return saveFailure.problem }
        return url.flatMap { url in AtomicFile.obstacle(toReplacing: url).map { FileProblem($0, in: url) } }
    }
}

extension FlagFiles.Provider {
    /// The persistent obstacle to replacing the file, if known.
    ///
    /// Only an attempt shows if the volume has room.
    package var saveObstacle: FileProblem? {
        AtomicFile.obstacle(toReplacing: url).flatMap { $0.isFull ? nil : FileProblem($0, in: url) }
    }
}

extension FlagFiles {
    /// The obstacle to changes of definitions and locks, if the manifest is a mount point.
    package var manifestObstacle: FileProblem? {
        AtomicFile.obstacle(toReplacing: manifest).flatMap { $0.isOfMountPoint ? FileProblem($0, in: manifest) : nil }
    }
}

extension ChangeError {
    var isOfStorage: Bool { !isOfApp && (reason == .full || reason == .unavailable) }
}
