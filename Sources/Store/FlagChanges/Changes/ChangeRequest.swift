import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Changes that an author asks for together: all of them are made, or none.
///
/// Every way in (a form, the API, a batch, an import, an undo, the restore of a moment) comes to one, which is planned once and
/// committed once.
public struct ChangeRequest: Sendable {
    /// The changes, in the order in which they are to be made, of whatever flags and providers and of the manifest.
    public let changes: [Change]
    /// Who asks.
    public let author: ChangeAuthor
    /// What the files held when the changes were worked out from the flags (``FlagOverview/version``); `nil` where it doesn't
    /// matter what was changed since.
    public let version: FilesVersion?
    /// What was asked for where the changes were worked out from that; `nil` where they are what was asked for.
    let question: FlagValue?
    /// What ties the rows together.
    let batch = UUID()
    /// Since when the request waits.
    let arrival = ContinuousClock.now

    /// Asks for changes.
    ///
    /// - Parameters:
    ///   - changes: The changes, in their order.
    ///   - author: Who asks.
    ///   - version: What the files held when the changes were worked out; `nil` where that doesn't matter.
    ///   - question: What was asked for where the changes were worked out from that, and others will be when it is asked for
    ///     once more: a repetition is told by this then, and not by the changes.
    public init(
        _ changes: [Change], by author: ChangeAuthor, asOf version: FilesVersion? = nil,
        answering question: FlagValue? = nil
    ) {
        self.changes = changes
        self.author = author
        self.version = version
        self.question = question
    }

    /// What a refusal of the whole request is about: the flag, where it is about one.
    var key: FlagKeyPath? { changes.count == 1 ? changes.first?.key : nil }

    /// The name by which a repetition is recognised; `nil` where none is to be.
    var name: Name? { author.idempotencyKey.map { Name(actor: author.name, idempotencyKey: $0) } }

    /// An idempotency key and whose it is.
    struct Name: Hashable {
        let actor: String
        let idempotencyKey: String
    }

    /// SHA-256 of all that is asked for: requests that ask for the same have the same, whenever it was worked out.
    var fingerprint: Data {
        var bytes = Data()
        (question ?? .array(changes.map(\.described))).appendCanonicalBytes(to: &bytes)
        return ContentHash.sha256(bytes)
    }
}

extension Change {
    /// The change as one value.
    fileprivate var described: FlagValue {
        let (name, operand) = action.written
        let deed = [.string(name)] + (operand.map { [$0] } ?? [])
        let named = [provider.map { [$0] } ?? [], revisions?.map(\.rawValue) ?? []].map { names in
            FlagValue.array(names.map(FlagValue.string))
        }
        return .array([.string(key.text), .array(deed), .string(reason)] + named)
    }
}

/// What became of a request.
enum ChangeAnswer: Sendable {
    /// Each change was made, or there was nothing to do.
    case done([ChangeOutcome])
    /// None was made.
    case refused(BatchError)

    /// What became of each change.
    func outcomes() throws(BatchError) -> [ChangeOutcome] {
        switch self {
        case .done(let outcomes): return outcomes
        case .refused(let refusal): throw refusal
        }
    }
}
