import FeatureFlags
import HTTPTypes
import Hummingbird

enum APIDescription {
    static let json = Array(FlagJSON.text(JSONValue(document)).utf8)

    static let document = document(below: .root)

    static func document(below mount: MountPath) -> FlagValue {
        var documents: [String: FlagValue] = [:]
        var paths: [String: [String: FlagValue]] = [:]
        for (route, method, operation) in Route.operations {
            paths[path(of: route, operation), default: [:]][method.rawValue.lowercased()] = APIOperationText(
                operation, route, method
            ).described(&documents)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Flagboard", "version": "1",
                "description":
                    "Read and change flags. The API has the same rules, checks and history as the dashboard.",
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": .string(mount == .root ? "/" : mount.text), "description": "This server."]],
            "security": [["bearer": []], ["apiKey": []]],
            "tags": .array(APISection.allCases.map { ["name": .string($0.label)] }),
            "paths": .dictionary(paths.mapValues(FlagValue.dictionary)),
            "components": [
                "schemas": .dictionary(documents),
                "securitySchemes": [
                    "bearer": [
                        "type": "http", "scheme": "bearer",
                        "description": "An API token from flagboard token add, with the role viewer, editor or admin.",
                    ],
                    "apiKey": [
                        "type": "apiKey", "in": "header", "name": "X-API-Key",
                        "description": "The same token, in the header that OpenFeature clients use.",
                    ],
                ],
            ],
        ]
    }

    /// Returns the path with its parameter by name: `/api/v1/flags/{key}`.
    static func path(of route: Route, _ operation: APIOperation) -> String {
        operation.place.map { route.path("{\($0.name)}") } ?? route.path
    }
}

extension Dashboard {
    func describeAPI(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let json =
            mount == .root
            ? APIDescription.json : Array(FlagJSON.text(JSONValue(APIDescription.document(below: mount))).utf8)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
