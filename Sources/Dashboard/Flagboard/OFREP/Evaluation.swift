import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// A flag's value in the OpenFeature Remote Evaluation Protocol (OFREP 0.3.0, `service/openapi.yaml` of
/// `open-feature/protocol`).
///
/// Without a value, `value` is omitted and the client uses its own default. An unknown value is a failure.
struct Evaluation {
    private let entry: FlagEntry

    init(_ entry: FlagEntry) { self.entry = entry }

    /// `STALE` is the last good value of a broken source, `DISABLED` no value.
    private var reason: String? {
        let resolution = entry.resolution
        if entry.ignorance != nil { return nil }
        if held == nil { return "DISABLED" }
        if resolution.isStale { return "STALE" }
        return resolution.source == .defaultValue ? "DEFAULT" : "STATIC"
    }

    /// A provider's value if the app computes none.
    private var held: FlagValue? {
        entry.resolution.effectiveValue
            ?? (entry.definition.computed == .value
                ? entry.resolution.asked.lazy.compactMap(\.valueInForce).first : nil)
    }

    var metadata: [String: String] {
        var metadata = ["source": entry.resolution.source.words, "type": entry.definition.type.rawValue]
        metadata["computed"] = entry.definition.computed?.rawValue
        let sources = entry.resolution.brokenSources
        // The source whose last good value is in use, or the one that the failure names.
        if let broken = entry.ignorance == nil ? sources.last : sources.first {
            (metadata["brokenSource"], metadata["problem"]) = (broken.provider, broken.problem?.description)
        }
        return metadata
    }

    /// The value in the protocol's types: others become text, and an array the `items` of an object.
    private var value: JSONValue? {
        guard let value = held else { return nil }
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
        // Clients expect a variant; the source serves as one.
        json.add("variant", ignorance == nil ? entry.resolution.source.words : nil)
    }
}

struct EvaluationFailure: JSONDocument {
    /// `nil` if no single flag failed.
    var key: String?
    let errorCode: String
    let errorDetails: String
    /// That of the flag's evaluation; `nil` unless a broken source is the cause.
    var metadata: [String: String]?

    static let general = "GENERAL"
}

struct BulkEvaluation: Sendable {
    /// `{"eventStreams":[],"flags":[…]}`.
    private let json: [UInt8]
    private let hash: String
    private let mount: MountPath

    /// Omits flags that only other environments hold.
    init(_ entries: FlagEntries, below mount: MountPath = .root) {
        let flags = entries.filter { !$0.isOnlyElsewhere }.map(Evaluation.init)
        json = BulkDocument(eventStreams: [], flags: flags).json
        hash = ContentHash.sha256(Data(json)).prefix(16).hexadecimal
        self.mount = mount
    }

    /// `{"eventStreams":[…],"flags":[…]}`.
    ///
    /// `ticket` opens the stream for clients that can't send their token with it.
    func body(with ticket: String?) -> [UInt8] {
        let start = #"{"eventStreams":["#.utf8.count
        return json[..<start] + EventStreamDocument(below: mount, with: ticket).json + json[start...]
    }

    /// The strong `ETag` of the body: another ticket is another body.
    func revision(with ticket: String?) -> FlagRevision {
        FlagRevision(rawValue: hash + (ticket?.prefix(8) ?? ""))
    }
}

struct BulkDocument: JSONDocument {
    let eventStreams: [EventStreamDocument]
    let flags: [Evaluation]
}

struct EventStreamDocument: JSONDocument {
    let type = "sse"
    let endpoint: [String: String]

    init(below mount: MountPath, with ticket: String?) {
        let query = ticket.map { "?\(StreamTicket.field)=\($0)" } ?? ""
        endpoint = ["requestUri": mount.address(of: Route.evaluationEvents.path) + query]
    }
}

final class KnownEvaluation: Sendable {
    private struct Known {
        let version: FilesVersion
        let evaluation: BulkEvaluation
    }

    private let last = Mutex<Known?>(nil)
    private let mount: MountPath

    init(below mount: MountPath = .root) { self.mount = mount }

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
