import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// What a read of a flag returns, as the OpenFeature Remote Evaluation Protocol tells it (OFREP 0.3.0, `service/openapi.yaml` of
/// `open-feature/protocol`).
///
/// A flag without a value leaves `value` out, which has a client take its own default. One of which nothing is known is a failure.
struct Evaluation {
    private let entry: FlagEntry

    init(_ entry: FlagEntry) { self.entry = entry }

    /// Why a client gets the value: the protocol's `STALE` is the last good value of a source that is broken, and its `DISABLED` a flag
    /// that says nothing.
    private var reason: String? {
        let resolution = entry.resolution
        if entry.ignorance != nil { return nil }
        if resolution.effectiveValue == nil { return "DISABLED" }
        if resolution.isStale { return "STALE" }
        return resolution.source == .defaultValue ? "DEFAULT" : "STATIC"
    }

    private var metadata: [String: String] {
        var metadata = ["source": entry.resolution.source.words, "type": entry.definition.type.rawValue]
        if let broken = entry.resolution.brokenSources.last {
            (metadata["brokenSource"], metadata["problem"]) = (broken.provider, broken.problem?.description)
        }
        return metadata
    }

    /// The value in the protocol's types: what has no type there is text, and an array is the `items` of an object.
    private var value: JSONValue? {
        guard let value = entry.resolution.effectiveValue else { return nil }
        let json = FlagJSON.json(value, of: entry.definition.type)
        if case .array(let items) = json { return .object(["items": .array(items)]) }
        return json
    }
}

extension Evaluation: JSONRecord {
    static var sample: Evaluation { Evaluation(.sample) }

    func tell(_ json: inout some JSONMemberSink) {
        let ignorance = entry.ignorance
        json.add("errorCode", ignorance.map { _ in EvaluationFailure.general })
        json.add("errorDetails", ignorance)
        json.add("key", entry.key.text)
        json.add("metadata", metadata)
        json.add("reason", reason)
        json.add("value", value.map(PlainValue.init(json:)))
        // Clients want one; a flag has no variants but its sources.
        json.add("variant", ignorance == nil ? entry.resolution.source.words : nil)
    }
}

/// Why a flag, or a request, is not evaluated.
struct EvaluationFailure: JSONDocument {
    /// The flag; `nil` where it is about no single one.
    var key: String?
    let errorCode: String
    let errorDetails: String

    /// The protocol's code where nothing more particular is wrong.
    static let general = "GENERAL"
}

/// The evaluations of all flags, made once for what the files hold.
struct BulkEvaluation: Sendable {
    /// `{"eventStreams":[…],"flags":[…]}`.
    let body: [UInt8]
    /// The revision of the body, which becomes its strong `ETag`.
    let revision: FlagRevision

    /// Evaluates flags.
    ///
    /// - Parameter entries: The flags that may be seen; those that only other environments hold are left out.
    init(_ entries: FlagEntries, below mount: MountPath = .root) {
        let streams = [EventStreamDocument(below: mount)]
        let json = BulkDocument(
            eventStreams: streams, flags: entries.filter { !$0.isOnlyElsewhere }.map(Evaluation.init)
        ).json
        body = json
        revision = FlagRevision(rawValue: ContentHash.sha256(Data(json)).prefix(16).hexadecimal)
    }
}

/// What ``BulkEvaluation/body`` tells.
struct BulkDocument: JSONDocument {
    let eventStreams: [EventStreamDocument]
    let flags: [Evaluation]
}

/// Where a client hears that it should ask again.
struct EventStreamDocument: JSONDocument {
    let type = "sse"
    let endpoint: [String: String]

    init(below mount: MountPath) { endpoint = ["requestUri": mount.address(of: Route.evaluationEvents.path)] }
}

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

extension Dashboard {
    var evaluations: KnownEvaluation { states.value { KnownEvaluation(below: mount) } }
}
