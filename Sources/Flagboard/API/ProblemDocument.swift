import FeatureFlags
import FlagChanges

/// Why a request was refused, as RFC 9457 has machines told.
struct ProblemDocument: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
    let remedy: String
    let key: String?
    let conflict: Conflict?

    private enum CodingKeys: CodingKey {
        case type, title, status, detail, remedy, key, conflict
    }

    /// What changed meanwhile: to look at before the change is made again.
    struct Conflict: Encodable {
        /// What the provider holds now; left out where it holds nothing.
        let theirs: PlainValue?
        /// What was asked for; left out for a reset.
        let yours: PlainValue?
        /// The revision of `theirs`.
        let revision: String
    }
}

extension ProblemDocument.Conflict {
    /// Tells of a conflict; `nil` where the refusal is about something else.
    init?(_ refusal: ChangeRefusal, asked: FlagValue?) {
        guard case .conflict(let current) = refusal.reason else { return nil }
        theirs = current.map(PlainValue.init)
        yours = asked.map(PlainValue.init)
        revision = FlagRevision(of: current).rawValue
    }
}
