import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Testing

@testable import Flagboard

@Suite("The description of the API")
struct DescriptionTests {
    private func document() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(APIDescription.json))
        return try #require(json as? [String: Any])
    }

    @Test("It has each address for programs, with each method that is answered there, and no other")
    func routes() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        var described: Set<String> = []
        for (path, methods) in paths {
            let plain = path.replacing(/\{\w+\}/, with: path.contains("{key}") ? "**" : ":")
            for method in methods.keys { described.insert("\(method.uppercased()) \(plain)") }
        }
        var answered: Set<String> = []
        for route in Route.all where route.isForPrograms {
            for method in route.methods where method != .head {
                answered.insert("\(method) \(route.path.replacing(/:\w+/, with: ":"))")
            }
        }
        #expect(described == answered && answered.count > 20)
        #expect(Set(Route.operations.map(\.operation.name)).count == Route.operations.count)
    }

    @Test("Each member of what is answered says what it means")
    func memberTexts() throws {
        let components = try #require(try document()["components"] as? [String: [String: Any]])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        var silent: [String] = []
        for (name, schema) in schemas {
            for (member, rules) in schema["properties"] as? [String: [String: Any]] ?? [:]
            where (rules["description"] as? String)?.isEmpty != false { silent.append("\(name).\(member)") }
        }
        #expect(silent == [] && schemas.count > 20)
    }

    @Test("Whatever is named in it is described, once")
    func references() throws {
        let text = String(decoding: APIDescription.json, as: UTF8.self)
        let components = try #require(try document()["components"] as? [String: [String: Any]])
        let names = text.matches(of: /"#\/components\/schemas\/([^"]+)"/).map { String($0.1) }
        #expect(Set(names) == Set(components["schemas"]?.keys.map { $0 } ?? []))
    }

    @Test("Each code of a problem is told with its meaning in the description and in docs/api.md, and no other")
    func problemCodes() throws {
        let text = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/api.md"),
            encoding: .utf8)
        let rows = text.matches(of: /\| `([a-z-]+)` \| [0-9, ]+ \| (.+) \|/).map { "\($0.1): \($0.2)" }
        #expect(rows == ProblemCode.allCases.map { "\($0.rawValue): \($0.meaning)" })
        let description = String(decoding: APIDescription.json, as: UTF8.self)
        for row in rows { #expect(description.contains(row)) }
        #expect(Set(ProblemCode.allCases.map(\.meaning)).count == rows.count)
    }

    @Test("No schema in it is one that programs which make clients can't read")
    func plainSchemas() throws {
        func faults(_ value: Any, _ place: String) -> [String] {
            if let items = value as? [Any] { return items.enumerated().flatMap { faults($1, "\(place)/\($0)") } }
            guard let members = value as? [String: Any] else { return [] }
            // The members of a document may have the names of a schema's own, such as `properties`.
            let described = members["properties"] as? [String: Any] ?? [:]
            var found = members.filter { $0.key != "properties" }.flatMap { faults($1, "\(place)/\($0)") }
            for (name, schema) in described {
                if !(schema is [String: Any]) { found.append("\(place): \(name) is no schema") }
                found += faults(schema, "\(place)/properties/\(name)")
            }
            if members["type"] as? String == "array", members["items"] == nil { found.append("\(place): no items") }
            let choices = members["oneOf"] as? [[String: Any]] ?? []
            if choices.contains(where: { $0["$ref"] == nil }) { found.append("\(place): a choice without a name") }
            if !choices.isEmpty, members["discriminator"] == nil { found.append("\(place): nothing tells them apart") }
            return found
        }
        #expect(faults(try document(), "") == [])
    }

    @Test("The members of a flag that are described are those that are told, in their order")
    func flagMembers() throws {
        guard case .document("Flag", let members) = FlagDocument.shape else {
            Issue.record("a flag is no document of its own")
            return
        }
        let names = members().map(\.name)
        #expect(names == names.sorted() && names.contains("providers") && names.count > 15)
        let sample = String(decoding: FlagDocument.sample.json, as: UTF8.self)
        for name in ["key", "type", "state", "providers"] { #expect(sample.contains("\"\(name)\":")) }
    }

    @Test("Nobody gets the description without a token, and everybody who has one gets the same")
    func access() async throws {
        let fixture = try AccessFixture()
        #expect(try await fixture.get("/api/v1/openapi.json").status == 401)
        for role in ["viewer", "admin"] {
            let secret = try await fixture.token(role, role == "admin" ? .admin : .viewer)
            let answer = try await fixture.get("/api/v1/openapi.json", bearer: secret)
            #expect(answer.status == 200 && answer.body.utf8.elementsEqual(APIDescription.json))
            #expect(answer.headers[.contentType] == "application/json")
        }
    }
}
