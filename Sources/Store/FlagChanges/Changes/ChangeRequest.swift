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

/// A value as JSON tells it, `null` included; which flag it is for says what it stands for.
public struct JSONInput: Hashable, Sendable {
    /// The JSON.
    package let value: JSONValue

    /// Takes over JSON.
    package init(_ value: JSONValue) {
        self.value = value
    }

    /// Takes over what a property list stores, as JSON tells it.
    ///
    /// - Parameter value: The value.
    public init(_ value: FlagValue) {
        self.value = JSONValue(value)
    }

    /// Reads JSON text.
    ///
    /// - Parameter text: The text.
    /// - Throws: Where it stops being JSON.
    public init(_ text: String) throws(FlagValueError) {
        value = try FlagJSON.document(text)
    }

    /// The JSON as one value: as a property list stores it, or as text where that can't.
    package var described: FlagValue { value.stored ?? .string(FlagJSON.line(value)) }
}

/// What a change would do, or would have done.
public struct ChangePreview: Hashable, Sendable {
    /// The change.
    public let change: Change
    /// The provider that it goes to; `nil` for one of the definition, or where there is no such provider.
    public let provider: String?
    /// What is stored before it: the provider's value, or the definition's entry in the manifest.
    ///
    /// It is `nil` where there is none, and where the flag can't be seen or its value can't be read.
    public let before: FlagValue?
    /// What is stored after it; `nil` where nothing is, or where the change is refused.
    public let after: FlagValue?
    /// Why the change is refused; `nil` where it isn't.
    public let refusal: ChangeError?
    /// What ``before`` and ``after`` are values of; `nil` where that isn't known.
    public let type: FlagType?

    /// The parts of an array or a dictionary that become another kind of value.
    public var retyped: [RetypedPart] { isOfValue ? RetypedPart.parts(of: after, since: before) : [] }
    private var isOfValue: Bool { refusal == nil && change.action.isAboutValue }

    /// Whether the change is allowed and leaves everything as it is.
    public var changesNothing: Bool { refusal == nil && before == after && change.action.settledSide == nil }

    /// Makes a preview.
    public init(
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

/// Why changes that were to be applied together were not: none of them took place, unless the cause says so.
public struct BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Each change in its order: why it is refused, or what it would have done; empty where something stands in the way of
    /// all of them.
    public let changes: [ChangePreview]
    /// The first change's refusal, or what keeps all of them from being made.
    public let cause: ChangeError

    /// Makes a refusal.
    public init(changes: [ChangePreview], cause: ChangeError) {
        self.changes = changes
        self.cause = cause
    }

    /// Whether something was changed after the changes were worked out, and nothing else is wrong with them.
    var isOutdated: Bool { cause == .outdated }

    /// What is wrong with each change that is refused, or what keeps all of them from being made.
    public var description: String {
        let refusals = changes.compactMap(\.refusal)
        return refusals.isEmpty ? cause.description : refusals.map(\.description).joined(separator: "\n")
    }
}
