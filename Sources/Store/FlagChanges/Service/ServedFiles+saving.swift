import DurableFiles
import FeatureFlags
import Foundation

/// Why a change that was asked for could not be stored.
struct SaveFailure: Hashable, Sendable {
    /// What its author was told.
    let refusal: ChangeError
    /// The files that it was to replace.
    let files: Set<URL>

    /// The failure as what keeps changes from being stored.
    var problem: FileProblem { FileProblem(refusal.description) }
}

/// Whether a change would be stored now: by what is known without a try, and by what became of the last one.
extension ServedFiles {
    /// Keeps why a change could not be stored.
    func keepSaveFailure(_ failure: SaveFailure) -> Bool {
        let isNews = saveFailure == nil
        saveFailure = failure
        tellUpdates()
        return isNews
    }

    /// Takes up that a change was stored.
    func forgetSaveFailure() {
        guard saveFailure != nil else { return }
        saveFailure = nil
        tellUpdates()
    }

    /// Tries whether files of the size of those that could not be stored can be now.
    func isStillFailing() async -> Bool {
        guard let failure = saveFailure else { return false }
        // A link may lead elsewhere by now.
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

    /// How many bytes are tried where a file is small: what the history stores of a change has room in them.
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

    /// The files that changes are asked of, after a new look at where they are.
    func urlsAfterLook(of changes: [Change]) -> Set<URL> {
        _ = look()
        return urls(of: changes)
    }

    /// The files whose folders are needed to settle a change that was left half done, as far as these are there.
    func placesToSettle() throws(FileAccessError) -> [URL] {
        var places: [URL] = []
        for url in claimed.written where try AtomicFile.hasFolder(url) { places.append(url) }
        return places
    }
}

extension FilesState {
    /// What keeps a change from being stored that names no provider; `nil` where nothing is known to.
    var saveObstacle: FileProblem? {
        if let saveFailure { return saveFailure.problem }
        guard let file = workspace.values.first(where: { $0.provider.isWritable && $0.provider.isAsked }) else {
            return nil
        }
        return AtomicFile.obstacle(toReplacing: file.provider.url).map { FileProblem($0, in: file.provider.url) }
    }
}

extension FlagFiles.Provider {
    /// What keeps the file from being replaced until somebody mends it, as far as that is known without a try; `nil` for nothing.
    ///
    /// Room on the volume comes and goes, so that a try alone can tell.
    public var saveObstacle: FileProblem? {
        AtomicFile.obstacle(toReplacing: url).flatMap { $0.isFull ? nil : FileProblem($0, in: url) }
    }
}

extension ChangeError {
    /// Whether the change could not be stored, whatever it was.
    var isOfStorage: Bool { reason == .full || reason == .unavailable }
}
