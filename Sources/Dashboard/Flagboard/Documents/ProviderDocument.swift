import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

/// A provider as the API tells it.
struct ProviderDocument: JSONDocument {
    /// What sort of source a provider is.
    enum Kind: String, JSONWord {
        /// A property list that is served.
        case file
        /// What the app that the dashboard is part of holds elsewhere.
        case app
    }

    let name: String
    let kind: Kind
    /// Where its values come from.
    let source: String
    let isWritable: Bool
    /// Whether a read asks it; otherwise it holds the values of another environment.
    let isAsked: Bool
    /// How many flags it holds a value of, or something that is none.
    let count: Int
    /// Why its values can't be read now; left out where they can.
    let problem: String?
}

/// The providers, in order of precedence.
struct ProviderListDocument: JSONDocument {
    let providers: [ProviderDocument]

    init(_ catalogue: FlagCatalogue) {
        var counts: [String: Int] = [:]
        // The number of flags in each provider is kept nowhere.
        for entry in catalogue.entries {
            for reading in entry.resolution.readings where reading.answer != .absent {
                counts[reading.provider, default: 0] += 1
            }
        }
        providers = catalogue.providers.map { provider in
            ProviderDocument(
                name: provider.name, kind: provider.isFile ? .file : .app, source: provider.description,
                isWritable: provider.isWritable, isAsked: provider.isAsked, count: counts[provider.name] ?? 0,
                problem: provider.problem)
        }
    }
}

/// All flags at one moment, as a server that is to answer with the same takes them over.
struct SnapshotDocument {
    private let snapshot: FlagsSnapshot
    /// The hash of a row that was got before; `nil` where none was asked for, and where it is not to be had.
    private let knownHash: String?

    /// Tells all flags.
    ///
    /// - Parameter knownHash: The hash of the row of the history that was got before.
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
            guard let row = Int64(text) else { throw Self.unreadable(["known is no number of a change."]) }
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
