import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
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

    /// Every part in a value, and itself, however deep.
    private func partsWithin(_ value: Any) -> [any PagePart] {
        let own = (value as? any PagePart).map { [$0] } ?? []
        return own + Mirror(reflecting: value).children.flatMap { partsWithin($0.value) }
    }

    @Test("A part of a page lists its stored properties, all and no other, and gives each by its name")
    func partsAnswerByName() throws {
        let parts = Samples.pages.flatMap { partsWithin($0) }
        #expect(parts.count > 1000)
        for part in parts { try checkFields(of: part) }
    }

    private func checkFields<Part: PagePart>(of part: Part) throws {
        let children = Mirror(reflecting: part).children
        #expect(Part.fields.names.sorted() == children.compactMap(\.label).sorted(), "\(Part.self)")
        for child in children {
            let label = try #require(child.label)
            let place = try #require(Part.place(of: label))
            #expect(text(of: part.content(at: place)) == text(ofStored: child.value), "\(Part.self).\(label)")
        }
        #expect(Part.place(of: "no such property") == nil)
    }

    private func text(of content: ShownContent) -> String {
        switch content {
        case .absent: "nil"
        case .text(let text): text
        case .flag(let isSet): "\(isSet)"
        case .part(let part): "\(type(of: part))"
        case .list(let list): "\((0..<list.count).map { text(of: list.shown(at: $0)) })"
        }
    }

    private func text(ofStored value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.map { text(ofStored: $0.value) } ?? "nil"
        case .collection: "\(mirror.children.map { text(ofStored: $0.value) })"
        case .struct where value is any PagePart: "\(type(of: value))"
        default: "\(value)"
        }
    }

    @Test("Every part of a page is on a sample's page")
    func partsHaveSamples() {
        let seen = Samples.pages.flatMap { partsWithin($0) }.filter { !($0 is any PageModel) }
        let declared = Set(TemplateLibrary.parts.map { String(reflecting: $0) })
        #expect(declared.count > 100)
        #expect(Set(seen.map { String(reflecting: type(of: $0)) }).symmetricDifference(declared) == [])
    }
}
