import FeatureFlags
import FlagChanges
import Synchronization

/// The requests for previews that can be shown again: by their address, to whom they are of.
///
/// They are kept while the dashboard runs, the newest of each person. One that is not kept any longer is asked for anew; its
/// page goes on to work, as its form holds the changes.
final class PreviewRequests: Sendable {
    private struct Kept {
        let id: String
        let person: String
        let request: any PreviewRequest
    }

    private let maximumForOne: Int
    private let maximumBytes: Int
    private let kept = Mutex<[Kept]>([])

    /// Keeps none at first.
    init(maximumForOne: Int = 16, maximumBytes: Int = 32 * 1024 * 1024) {
        self.maximumForOne = maximumForOne
        self.maximumBytes = maximumBytes
    }

    /// Keeps a request.
    ///
    /// - Returns: What to ask for it with; it can't be guessed.
    func add(_ request: any PreviewRequest, of person: String) -> String {
        let id = AccessSecret.random()
        kept.withLock { kept in
            kept.append(Kept(id: id, person: person, request: request))
            if kept.count(where: { $0.person == person }) > maximumForOne {
                kept.firstIndex { $0.person == person }.map { _ = kept.remove(at: $0) }
            }
            // The newest is kept in any case: its preview is about to be shown.
            var size = kept.reduce(0) { $0 + $1.request.size }
            while size > maximumBytes, kept.count > 1 { size -= kept.removeFirst().request.size }
        }
        return id
    }

    /// The request of this name, where it is this person's; `nil` where there is none.
    func find(_ id: String, of person: String) -> (any PreviewRequest)? {
        kept.withLock { $0.first { $0.id == id && $0.person == person }?.request }
    }
}

/// Changes that a person wants to look at before they are made, as they were asked for.
///
/// The changes are worked out each time that they are shown, so that they are those of that moment.
protocol PreviewRequest: Sendable {
    /// About how many bytes it takes to remember.
    var size: Int { get }
    /// Where the request can be changed, for the one that is kept by this name; `nil` where the changes say so.
    func back(keptAs id: String) -> String?
    /// The changes, from the flags as they are now.
    func proposal(in dashboard: Dashboard, _ context: DashboardContext) async throws -> BatchProposal
}

extension PreviewRequest {
    func back(keptAs id: String) -> String? { nil }
}

/// Why there is nothing to look at.
struct EmptyPreviewError: Error, Hashable {
    /// What was asked for, as a heading.
    let title: String
    /// What is wrong or why there is nothing to do, in sentences.
    let notes: [String]
    /// Where it was asked for: an address within the dashboard.
    let back: String
}

extension Dashboard {
    var previewRequests: PreviewRequests { states.value { PreviewRequests() } }
}
