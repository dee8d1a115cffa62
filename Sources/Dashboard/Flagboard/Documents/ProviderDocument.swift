import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

struct ProviderDocument: JSONDocument {
    enum Kind: String, JSONWord {
        /// A property list that the dashboard serves.
        case file
        case app
    }

    let name: String
    /// The name in the app's code, if that of an environment stands in its place.
    let declaredName: String?
    let kind: Kind
    let source: String
    let isWritable: Bool
    /// `false` for another environment's values, which reads skip.
    let isAsked: Bool
    /// The number of flags with a value, valid or not.
    let count: Int
    let problem: String?
}

/// The providers, in order of precedence.
struct ProviderListDocument: JSONDocument {
    let providers: [ProviderDocument]

    init(_ catalogue: FlagCatalogue, of files: FlagFiles) {
        var counts: [String: Int] = [:]
        // The catalogue doesn't store these numbers.
        for entry in catalogue.entries {
            for reading in entry.resolution.readings where reading.answer != .absent {
                counts[reading.provider, default: 0] += 1
            }
        }
        providers = catalogue.providers.map { provider in
            ProviderDocument(
                name: provider.name, declaredName: provider.name == files.localName ? files.declaredName : nil,
                kind: provider.isFile ? .file : .app, source: provider.description,
                isWritable: provider.isWritable, isAsked: provider.isAsked, count: counts[provider.name] ?? 0,
                problem: provider.problem)
        }
    }
}

/// All flags at one moment, for a replica.
struct SnapshotDocument {
    private let snapshot: FlagsSnapshot
    /// The hash of the row that the replica had before; `nil` if not requested, or unknown.
    private let knownHash: String?

    init(_ snapshot: FlagsSnapshot, knownHash: Data?) {
        (self.snapshot, self.knownHash) = (snapshot, knownHash?.hexadecimal)
    }

    private var values: String { String(decoding: snapshot.values, as: UTF8.self) }
    private var manifest: String? { snapshot.manifest.map { String(decoding: $0, as: UTF8.self) } }
    private var hash: String { snapshot.head.hash.hexadecimal }
}

extension SnapshotDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "row": .of(\.snapshot.head.id), "hash": .of(\.hash), "knownHash": .of(\.knownHash), "values": .of(\.values),
        "manifest": .of(\.manifest), "broken": .of(\.snapshot.broken),
    ]
}

extension Dashboard {
    func snapshot(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let known = try FormFields(request.uri.query ?? "")["known"].map { text in
            guard let row = Int64(text) else { throw Self.unreadable(["known must be the number of a change."]) }
            return row
        }
        if let known = EntityTags(knownBy: request), let version = try await service.snapshotVersion(),
            known.includes(version)
        {
            return Response(
                status: .notModified, headers: [.cacheControl: "no-store", .eTag: version.weakEntityTag])
        }
        let (snapshot, version) = try await service.snapshot()
        let knownHash = try known.flatMap { row in try service.history.hash(ofRow: row) }
        var response = respond(json: SnapshotDocument(snapshot, knownHash: knownHash))
        response.headers[.eTag] = version.weakEntityTag
        return response
    }
}
