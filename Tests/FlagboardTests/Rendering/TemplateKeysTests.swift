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

    @Test("A row gives each stored property by its name")
    func rowsAnswerByName() throws {
        let rows = Samples.everything.entries.map { FlagRow($0, in: Samples.view()) }
        let list = Samples.everything.entries
        let group = try #require(FlagGroup.tree(of: list.indices, in: list, Samples.view()).groups.first)
        let change = LastChange(id: 1, at: Samples.now, actor: "ada")
        var parents: [any MustacheParent] = [group]
        parents += Samples.everything.entries.map { FlagRowDetails($0, in: Samples.view(), change) }
        parents += parents.compactMap { ($0 as? FlagRowDetails)?.change }
        parents.append(FacetLink(label: "Tag", count: 3, href: "/", isCurrent: true))
        let changed = ReturnToList.Saved(key: Samples.key("checkout/new_flow"), notice: Samples.changed)
        let notice = ShownNotice(changed, in: Samples.view())
        #expect(notice.undo != nil)
        parents.append(notice)
        let difference = try #require(
            ShownDifference(
                .dictionary(["a": .integer(1), "b": .integer(1)]), .dictionary(["a": .integer(2), "c": .integer(1)])))
        parents.append(difference)
        parents += difference.entries.map { $0 as any MustacheParent }
        #expect(rows.contains { $0.control != nil })
        for row in rows {
            parents += [row, row.value]
            parents += row.control.map { [$0] + $0.options.map { $0 as any MustacheParent } } ?? []
            parents += row.states.map { $0 as any MustacheParent }
            parents += row.marks.map { $0 as any MustacheParent }
            parents += row.tags.map { $0 as any MustacheParent }
        }
        for row in parents {
            for child in Mirror(reflecting: row).children {
                let label = try #require(child.label)
                let isNil =
                    Mirror(reflecting: child.value).displayStyle == .optional
                    && Mirror(reflecting: child.value).children.isEmpty
                let answer = row.child(named: label)
                #expect((answer == nil) == isNil, "\(label)")
                if let answer, Mirror(reflecting: child.value).displayStyle != .optional {
                    #expect(String(describing: answer) == String(describing: child.value))
                }
            }
        }
    }
}
