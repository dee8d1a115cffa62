import FlagChanges
import Synchronization

/// The bulk evaluation of the flags that was asked for last.
final class KnownEvaluation: Sendable {
    private struct Known {
        let version: FilesVersion
        let evaluation: BulkEvaluation
    }

    private let last = Mutex<Known?>(nil)
    private let mount: MountPath

    init(below mount: MountPath = .root) { self.mount = mount }

    /// Evaluates flags, where that has not just been done.
    func evaluation(of flags: ShownFlags) -> BulkEvaluation {
        if let version = flags.wholeVersion, let known = last.withLock({ $0 }), known.version == version {
            return known.evaluation
        }
        let evaluation = BulkEvaluation(flags.catalogue.entries, below: mount)
        last.withLock { $0 = flags.wholeVersion.map { Known(version: $0, evaluation: evaluation) } }
        return evaluation
    }
}
