import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Changes made together or not at all.
package struct ChangeRequest: Sendable {
    package private(set) var changes: [Change]
    package let author: ChangeAuthor
    /// The version that the changes are based on; `nil` for any.
    package let version: FilesVersion?
    /// The original request, which identifies a repetition whose computed changes may differ.
    let question: FlagValue?
    /// Ties the history rows together.
    let batch = UUID()
    let arrival = ContinuousClock.now

    package init(
        _ changes: [Change], by author: ChangeAuthor, asOf version: FilesVersion? = nil,
        answering question: FlagValue? = nil
    ) {
        self.changes = changes
        self.author = author
        self.version = version
        self.question = question
    }

    func naming(_ files: FlagFiles) -> ChangeRequest {
        var request = self
        for place in changes.indices {
            request.changes[place].provider = changes[place].provider.map(files.providerName)
        }
        return request
    }

    var key: FlagKeyPath? { changes.count == 1 ? changes.first?.key : nil }

    /// `nil` without an idempotency key.
    var name: Name? { author.idempotencyKey.map { Name(actor: author.name, idempotencyKey: $0) } }

    struct Name: Hashable {
        let actor: String
        let idempotencyKey: String
    }

    /// SHA-256 of the whole request, equal for repetitions.
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

typealias ChangeAnswer = Result<[ChangeOutcome], BatchError>

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

package struct ChangePreview: Hashable, Sendable {
    package let change: Change
    /// The provider; `nil` for a definition or an unknown provider.
    package let provider: String?
    /// The stored value, or the definition's entry in the manifest; `nil` if absent, hidden or unreadable.
    package let before: FlagValue?
    /// The value after the change; `nil` if none or refused.
    package let after: FlagValue?
    package let refusal: ChangeError?
    /// The type of ``before`` and ``after``; `nil` if unknown.
    package let type: FlagType?

    package var retyped: [RetypedPart] { isOfValue ? RetypedPart.parts(of: after, since: before) : [] }
    private var isOfValue: Bool { refusal == nil && change.action.isAboutValue }

    package var changesNothing: Bool { refusal == nil && before == after && change.action.settledSide == nil }

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

/// The refusal of a request; nothing was changed, unless the cause says otherwise.
package struct BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Each change's refusal or effect, in order; empty if all are prevented.
    package let changes: [ChangePreview]
    /// The first change's refusal, or the obstacle to all of them.
    package let cause: ChangeError

    var isOutdated: Bool { cause == .outdated }

    package var description: String {
        let refusals = changes.compactMap(\.refusal)
        return refusals.isEmpty ? cause.description : refusals.map(\.description).joined(separator: "\n")
    }
}
