import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Mustache
import Testing

@testable import Flagboard

@Suite("Templates and page models")
struct TemplateKeysTests {
    private func checker() throws -> TemplateChecker {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Samples.templates.path)
        var templates: [String: [TemplateTag]] = [:]
        for file in files where file.hasSuffix(".mustache") {
            let text = try String(contentsOf: Samples.templates.appending(path: file), encoding: .utf8)
            let tags: [TemplateTag] = try #require(TemplateTag.parse(text), "\(file)")
            templates[String(URL(filePath: file).lastPathComponent.dropLast(".mustache".count))] = tags
        }
        var shapes = PageShapes()
        let roots = Samples.pages.map { (type(of: $0).template, shapes.learn($0)) }
        var checker = TemplateChecker(templates: templates, shapes: shapes)
        for (template, root) in roots { checker.check(template, [root]) }
        return checker
    }

    @Test("Every key of a template is a stored property of its page model")
    func keysAreProperties() throws {
        let faults = try checker().faults
        #expect(faults == [])
    }

    @Test("Every stored property of a page model is shown by a template")
    func propertiesAreShown() throws {
        let checker = try checker()
        let all = checker.shapes.types.flatMap { type, properties in properties.keys.map { "\(type).\($0)" } }
        #expect(all.count > 100)
        #expect(all.filter { !checker.used.contains($0) }.sorted() == [])
    }

    @Test("Every page that the dashboard shows has a sample")
    func pagesHaveSamples() {
        let sampled = Set(Samples.pages.map { type(of: $0).template })
        #expect(sampled == Set(TemplateLibrary.pages.map { $0.template }))
    }

    /// Every row in a value, however deep.
    private func rowsWithin(_ value: Any) -> [any PageRow] {
        let own = (value as? any PageRow).map { [$0] } ?? []
        return own + Mirror(reflecting: value).children.flatMap { rowsWithin($0.value) }
    }

    @Test("A row lists its stored properties, all and no other, and gives each by its name")
    func rowsAnswerByName() throws {
        let rows = Samples.pages.flatMap { rowsWithin($0) }
        #expect(rows.count > 1000)
        for row in rows {
            let children = Mirror(reflecting: row).children
            #expect(names(of: row) == children.compactMap(\.label).sorted(), "\(type(of: row))")
            for child in children {
                let label = try #require(child.label)
                let mirror = Mirror(reflecting: child.value)
                let content: Any? = mirror.displayStyle == .optional ? mirror.children.first?.value : child.value
                let (answer, stored) = (row.child(named: label).map(text), content.map(text))
                #expect(answer == stored, "\(type(of: row)).\(label)")
            }
            #expect(row.child(named: "no such property") == nil)
        }
    }

    private func text(_ value: Any) -> String { String(describing: value) }

    private func names<Row: PageRow>(of row: Row) -> [String] { Row.fields.keys.sorted() }

    @Test("Every row that lists its properties is on a sample's page")
    func rowsHaveSamples() throws {
        let root = Samples.templates.deletingLastPathComponent().appending(path: "Sources/Flagboard")
        var declared: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
        where path.hasSuffix(".swift") {
            let source = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            declared.formUnion(source.matches(of: /extension ([\w.]+): PageRow/).map { "Flagboard.\($0.1)" })
        }
        #expect(declared.count > 20)
        let seen = Set(Samples.pages.flatMap { rowsWithin($0) }.map { String(reflecting: type(of: $0)) })
        #expect(seen.symmetricDifference(declared) == [])
    }
}
