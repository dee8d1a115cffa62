import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Changes made together or not at all.
///
/// Every way in makes one: forms, API, batches, imports, undos, restores.
package struct ChangeRequest: Sendable {
    /// The changes in order, of any flags, providers and definitions.
    package let changes: [Change]
    /// The author.
    package let author: ChangeAuthor
    /// The version that the changes are based on (``FlagOverview/version``); `nil` for any.
    package let version: FilesVersion?
    /// The original request, which identifies a repetition.
    let question: FlagValue?
    /// Ties the history rows together.
    let batch = UUID()
    let arrival = ContinuousClock.now

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - changes: The changes, in order.
    ///   - author: The author.
    ///   - version: The version that the changes are based on; `nil` for any.
    ///   - question: The original request if the changes were computed from it and may differ when repeated. It then
    ///     identifies a repetition.
    package init(
        _ changes: [Change], by author: ChangeAuthor, asOf version: FilesVersion? = nil,
        answering question: FlagValue? = nil
    ) {
        self.changes = changes
        self.author = author
        self.version = version
        self.question = question
    }

    var key: FlagKeyPath? { changes.count == 1 ? changes.first?.key : nil }

    /// Identifies repetitions; `nil` without an idempotency key.
    var name: Name? { author.idempotencyKey.map { Name(actor: author.name, idempotencyKey: $0) } }

    struct Name: Hashable {
        let actor: String
        let idempotencyKey: String
    }

    /// SHA-256 of everything asked for, equal for repetitions.
    var fingerprint: Data {
        var bytes = Data()
        (question ?? .array(changes.map(\.described))).appendCanonicalBytes(to: &bytes)
        return ContentHash.sha256(bytes)
    }
}

extension Change {
    fileprivate var described: FlagValue {
        let (name, operand) = action.written
        let deed = [.string(name)] + (operand.map { [$0] } ?? [])
        let named = [provider.map { [$0] } ?? [], revisions?.map(\.rawValue) ?? []].map { names in
            FlagValue.array(names.map(FlagValue.string))
        }
        return .array([.string(key.text), .array(deed), .string(reason)] + named)
    }
}

enum ChangeAnswer: Sendable {
    /// Each change was made, or changed nothing.
    case done([ChangeOutcome])
    /// No change was made.
    case refused(BatchError)

    func outcomes() throws(BatchError) -> [ChangeOutcome] {
        switch self {
        case .done(let outcomes): return outcomes
        case .refused(let refusal): throw refusal
        }
    }
}

/// A JSON value, including `null`, to be read as the flag's type.
public struct JSONInput: Hashable, Sendable {
    package let value: JSONValue

    package init(_ value: JSONValue) {
        self.value = value
    }

    /// Makes the JSON of a stored value.
    public init(_ value: FlagValue) {
        self.value = JSONValue(value)
    }

    /// Parses JSON text.
    ///
    /// - Throws: ``FlagValueError`` with the place of the first error.
    public init(_ text: String) throws(FlagValueError) {
        value = try FlagJSON.document(text)
    }

    package var described: FlagValue { value.stored ?? .string(FlagJSON.line(value)) }
}

/// The effect that a change would have.
package struct ChangePreview: Hashable, Sendable {
    /// The change.
    package let change: Change
    /// The provider; `nil` for a definition, or if there is no such provider.
    package let provider: String?
    /// The stored value, or the definition's entry in the manifest.
    ///
    /// `nil` if there is none, or if it is hidden or unreadable.
    package let before: FlagValue?
    /// The value after the change; `nil` if none, or if the change is refused.
    package let after: FlagValue?
    /// The refusal; `nil` if the change is allowed.
    package let refusal: ChangeError?
    /// The type of ``before`` and ``after``; `nil` if unknown.
    package let type: FlagType?

    /// The parts of an array or a dictionary whose type changes.
    package var retyped: [RetypedPart] { isOfValue ? RetypedPart.parts(of: after, since: before) : [] }
    private var isOfValue: Bool { refusal == nil && change.action.isAboutValue }

    /// True if the change is allowed and changes nothing.
    package var changesNothing: Bool { refusal == nil && before == after && change.action.settledSide == nil }

    /// Makes a preview.
    package init(
        change: Change, provider: String?, before: FlagValue?, after: FlagValue?, refusal: ChangeError? = nil,
        type: FlagType? = nil
    ) {
        self.change = change
        self.provider = provider
        self.before = before
        self.after = after
        self.refusal = refusal
        self.type = type
    }
}

/// The refusal of a request.
///
/// No change was made, unless the cause says so.
package struct BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Each change's refusal or effect, in order; empty if something prevents all of them.
    package let changes: [ChangePreview]
    /// The first change's refusal, or the obstacle to all of them.
    package let cause: ChangeError

    /// Makes a refusal.
    package init(changes: [ChangePreview], cause: ChangeError) {
        self.changes = changes
        self.cause = cause
    }

    var isOutdated: Bool { cause == .outdated }

    /// The problem with each refused change, or the obstacle to all of them.
    package var description: String {
        let refusals = changes.compactMap(\.refusal)
        return refusals.isEmpty ? cause.description : refusals.map(\.description).joined(separator: "\n")
    }
}
