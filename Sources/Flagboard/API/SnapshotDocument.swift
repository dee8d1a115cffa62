import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

/// All flags at one moment, as a server that is to answer with the same takes them over.
struct SnapshotDocument {
    private let snapshot: FlagsSnapshot

    init(_ snapshot: FlagsSnapshot) { self.snapshot = snapshot }

    private var values: String { String(decoding: snapshot.values, as: UTF8.self) }
    private var manifest: String? { snapshot.manifest.map { String(decoding: $0, as: UTF8.self) } }
    private var hash: String { snapshot.head.hash.hexadecimal }
}

extension SnapshotDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "row": .of(\.snapshot.head.id), "hash": .of(\.hash), "values": .of(\.values), "manifest": .of(\.manifest),
    ]
}

extension Dashboard {
    func snapshot(_ request: Request, _ context: DashboardContext) async throws -> Response {
        if let known = EntityTags(knownBy: request), let version = try await service.snapshotVersion(),
            known.includes(version)
        {
            return Response(
                status: .notModified, headers: [.cacheControl: "no-store", .eTag: version.weakEntityTag])
        }
        let (snapshot, version) = try await service.snapshot()
        var response = respond(json: SnapshotDocument(snapshot))
        response.headers[.eTag] = version.weakEntityTag
        return response
    }
}
