import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("Queries of requests for programs")
struct QueryTests {
    private func fixture() throws -> DashboardFixture {
        try DashboardFixture(
            "<key>a</key><true/>", flags: [DashboardFixture.flag("a", "bool"), DashboardFixture.flag("b", "bool")],
            role: .admin)
    }

    /// An address of an operation, where there is something to ask for.
    private func path(_ route: Route, _ operation: APIOperation) -> String {
        switch operation.place?.name {
        case nil: route.path
        case "file": route.path("flags.xml")
        case "id": route.path("1")
        default: route.path("a")
        }
    }

    @Test("A query that holds what is not described is refused by each operation, and nothing is done")
    func unknown() async throws {
        let fixture = try fixture()
        let files = try [fixture.file, fixture.manifest].map { try Data(contentsOf: $0) }
        for (route, method, operation) in Route.operations where !operation.takesAnyQuery {
            let address = path(route, operation)
            let answer = try await fixture.ask(method, "\(address)?mistyped=1", [.ifMatch: "*"])
            #expect(answer.status == 400 && answer.body.contains("mistyped"), "\(method) \(address): \(answer.body)")
            let isFailure = answer.body.contains("\"errorCode\":\"PARSE_ERROR\"")
            #expect(isFailure == operation.isEvaluation, "\(answer.body)")
            let repeated = try await fixture.ask(method, "\(address)?reason=%ff", [.ifMatch: "*"])
            #expect(repeated.status == 400, "\(method) \(address): \(repeated.body)")
        }
        #expect(try [fixture.file, fixture.manifest].map { try Data(contentsOf: $0) } == files)
        #expect(try fixture.rows().isEmpty)
    }

    @Test("What watches over the process may add items of its own", arguments: [Route.health, .metrics])
    func probes(route: Route) async throws {
        #expect(try await fixture().get("\(route.path)?probe=1&target=x").status == 200)
        #expect(route.operations[.get]?.takesAnyQuery == true)
    }

    @Test("What only the body of a batch may say is refused in its query")
    func batch() async throws {
        let fixture = try fixture()
        let body = #"{"changes": [{"key": "a", "action": "set", "value": false, "revision": "*"}]}"#
        let json: HTTPFields = [.contentType: "application/json"]
        let answer = try await fixture.ask(.post, "/api/v1/batches?preview=true", json, body: body)
        #expect(answer.status == 400 && answer.body.contains("preview"), "\(answer.body)")
        #expect(try fixture.rows().isEmpty)
        #expect(try await fixture.ask(.post, "/api/v1/batches?", json, body: body).status == 200)
    }

    @Test("An address with empty components is held against the operation that answers it")
    func emptyComponents() async throws {
        let fixture = try fixture()
        #expect(try await fixture.get("/api/v1/flags///?provider=Local").status == 404)
        #expect(try await fixture.get("/api/v1/flags///?limit=1").status == 400)
        #expect(try await fixture.get("//api/v1/flags?limit=1").status == 200)
        #expect(try await fixture.get("//api/v1/flags?mistyped=1").status == 400)
    }

    @Test("A download takes the filters of what is in it, and no others")
    func downloads() async throws {
        let fixture = try fixture()
        for (query, takers) in [
            ("q=a", Set(Route.downloads.map(\.fileName))), ("of=Local", ["flags.xml", "flags.json"]),
            (
                "tag=x",
                [
                    "flags.xml", "flags.json", "effective.xml", "effective.json", "manifest.xml", "manifest.json",
                    "flags.txt",
                ]
            ),
            ("actor=ada&before=9", ["history.csv", "history.jsonl"]), ("limit=1", []), ("after=", []),
        ] {
            for route in Route.downloads {
                let answer = try await fixture.get("/api/v1/export/\(route.fileName)?\(query)")
                #expect(answer.status == (takers.contains(route.fileName) ? 200 : 400), "\(route.path)?\(query)")
            }
        }
    }

    @Test("A client of OpenFeature may tell what a stream told it")
    func evaluations() async throws {
        let query = "flagConfigEtag=x&flagConfigLastModified=1771622898"
        #expect(try await fixture().ask(.post, "/ofrep/v1/evaluate/flags?\(query)").status == 200)
    }
}
