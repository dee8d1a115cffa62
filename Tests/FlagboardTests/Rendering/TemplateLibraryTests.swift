import FeatureFlags
import Foundation
import Testing

@testable import Flagboard

@Suite("Template library")
struct TemplateLibraryTests {
    /// The smallest page: one text.
    struct Note: PageModel {
        static let template = "note"
        let text: String
        static let fields: PageFields = ["text": .of(\Self.text)]
        func content(at place: Int) -> ShownContent { text.shown }
    }

    @discardableResult
    private func library(
        _ templates: [String: String], pages: [any PageModel.Type] = [Note.self]
    ) throws -> TemplateLibrary {
        try TemplateLibrary(
            templates.map { PageSources.File(path: "\($0.key).mustache", bytes: Array($0.value.utf8)) }, pages: pages)
    }

    private func refusal(_ templates: [String: String]) -> String? {
        do {
            _ = try library(templates)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("The dashboard's own templates load and render every sample")
    func ownTemplates() throws {
        let library = try Samples.pageSet.templates
        for page in Samples.pages {
            let html = try library.html(of: page)
            #expect(html.hasPrefix("<!DOCTYPE html>"))
            #expect(html.hasSuffix("</html>\n"))
            #expect(!html.contains("{{"))
            #expect(!html.contains("Optional("))
        }
    }

    @Test("A template is known by its name, whatever folder it is in, and two of one name are refused")
    func folders() throws {
        var files = [("a/note", "{{>part}}"), ("b/part", "{{text}}")].map { name, text in
            PageSources.File(path: "\(name).mustache", bytes: Array("{{% CONTENT_TYPE:SAFE}}\n\(text)".utf8))
        }
        let library = try TemplateLibrary(files, pages: [Note.self])
        #expect(try library.html(of: Note(text: "hello")).hasSuffix("hello"))
        files.append(PageSources.File(path: "a/part.mustache", bytes: files[1].bytes))
        let error = #expect(throws: TemplateError.self) { try TemplateLibrary(files, pages: [Note.self]) }
        #expect(
            try #require(error).description
                == "Two page files are named part: rename one.")
    }

    @Test(
        "Text can't leave an element or an attribute, whatever follows its marks",
        arguments: [
            ("\"\u{301} onfocus=alert(1)", "&quot;\u{301} onfocus=alert(1)"),
            ("<\u{338}script>", "&lt;\u{338}script&gt;"), ("'\u{20DD}", "&#39;\u{20DD}"),
            ("&\u{200D}amp;", "&amp;\u{200D}amp;"),
            ("`\u{FE0F}", "&#96;\u{FE0F}"), ("\u{0}\u{1B}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("a\tb\r\nc", "a\tb\r\nc"),
            ("مرحبا 🚀", "مرحبا 🚀"),
        ])
    func escaping(text: String, escaped: String) throws {
        let library = try library([
            "note": "{{% CONTENT_TYPE:SAFE}}\n{{>part}}",
            "part": "{{% CONTENT_TYPE:SAFE}}\n<i title=\"{{text}}\">{{text}}</i>",
        ])
        let html = try library.html(of: Note(text: text))
        #expect(Array(html.utf8) == Array("<i title=\"\(escaped)\">\(escaped)</i>".utf8))
    }

    @Test(
        "A template that would render unsafely, or leave a gap, stops the launch and is named",
        arguments: [
            (["note": "{{text}}"], "first line"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{>part}}", "part": "{{text}}"], "part is not safe"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{{text}}}"], "not escaped"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{{\u{301}text}}}"], "not escaped"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{&text}}"], "not escaped"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{% CONTENT_TYPE:TEXT}}\n{{text}}"], "escaping"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{=<% %>=}}<%&text%>"], "delimiters"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n<a href={{text}}>"], "without quotes"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n  {{>note}}"], "indented"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{>*text}}"], "doesn’t name a template"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{>part}}"], "note needs part"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{<part}}{{/part}}"], "note needs part"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{#text}}"], "note is not valid mustache"),
            (["other": "{{% CONTENT_TYPE:SAFE}}\n"], "note doesn't exist"),
            ([:], "No templates found"),
        ])
    func faults(templates: [String: String], cause: String) throws {
        #expect(try #require(refusal(templates)).contains(cause))
    }

    /// A page with a property of every sort, and a part that holds parts of its own type.
    struct Branch: PageModel {
        static let template = "branch"
        let name: String
        let remark: String?
        let isLast: Bool
        let twigs: [Twig]

        struct Twig: PagePart {
            let name: String
            let remark: String?
            let twigs: [Twig]
            static let fields: PageFields = [
                "name": .of(\Self.name), "remark": .of(\Self.remark), "twigs": .of(\Self.twigs),
            ]
            func content(at place: Int) -> ShownContent { [name.shown, remark.shown, twigs.shown][place] }
        }

        static let fields: PageFields = [
            "name": .of(\Self.name), "remark": .of(\Self.remark), "isLast": .of(\Self.isLast),
            "twigs": .of(\Self.twigs),
        ]
        func content(at place: Int) -> ShownContent { [name.shown, remark.shown, isLast.shown, twigs.shown][place] }
    }

    @Test(
        "A template that shows what its page doesn't have, or can't show so, stops the launch and is named with the tag",
        arguments: [
            ("{{nmae}}", "{{nmae}} isn’t a property of Branch"),
            ("{{#twigs}}{{leaf}}{{/twigs}}", "{{leaf}} isn’t a property of Branch, Twig"),
            ("{{#twigs}}{{.isLast}}{{/twigs}}", "{{.isLast}} isn’t a property of Branch, Twig"),
            ("{{remark}}", "{{remark}} isn’t text that is always present"),
            ("{{isLast}}", "{{isLast}} isn’t text that is always present"),
            ("{{#twigs}}{{.}}{{/twigs}}", "{{.}} isn’t a property"),
            ("{{#name}}x{{/name}}", "{{#name}} always shows"), ("{{^name}}x{{/name}}", "{{^name}} never shows"),
            ("{{#name?}}x{{/name?}}", "{{#name?}} always shows"),
            ("{{#leaf?}}x{{/leaf?}}", "{{leaf}} isn’t a property"),
            ("{{#twigs}}{{#remark}}x{{/remark}}{{/twigs}}", "write .remark"),
            ("{{name.first}}", "{{name.first}} isn’t a property"),
        ])
    func unfitTags(text: String, cause: String) throws {
        let error = #expect(throws: TemplateError.self) {
            try library(["branch": "{{% CONTENT_TYPE:SAFE}}\n\(text)"], pages: [Branch.self])
        }
        #expect(try #require(error).description.contains("The template branch doesn't fit its page: "))
        #expect(try #require(error).description.contains(cause))
    }

    @Test("Sections, blocks and parts within parts show the innermost property of a name, on lines of their own")
    func nesting() throws {
        let library = try library(
            [
                "branch": "{{<frame}}\n{{$body}}\n{{#twigs}}\n{{>twig}}\n{{/twigs}}\n{{/body}}\n{{/frame}}\n",
                "frame": "<main>\n{{! kept apart }}\n{{$body}}nothing{{/body}}{{^isLast}}more{{/isLast}}\n</main>\n",
                "twig": "<i>{{name}}{{#.remark}} ({{.}}){{/.remark}}{{#isLast}}!{{/isLast}}</i>\n"
                    + "  {{#twigs}}\n{{>twig}}\n  {{/twigs}}\n{{^twigs}}<hr>{{/twigs}}\n",
            ].mapValues { "{{% CONTENT_TYPE:SAFE}}\n" + $0 }, pages: [Branch.self])
        let leaf = Branch.Twig(name: "c", remark: nil, twigs: [])
        let twigs = [Branch.Twig(name: "a<", remark: "b", twigs: [leaf]), leaf]
        let leaves = "<i>c</i>\n<hr>\n"
        #expect(
            try library.html(of: Branch(name: "x", remark: "y", isLast: false, twigs: twigs))
                == "<main>\n<i>a&lt; (b)</i>\n\(leaves)\n\(leaves)more\n</main>\n")
        #expect(
            try library.html(of: Branch(name: "x", remark: "y", isLast: true, twigs: [leaf]))
                == "<main>\n<i>c!</i>\n<hr>\n\n</main>\n")
    }

    @Test("A section with a question mark shows once where there is anything, and enters nothing")
    func presence() throws {
        let text =
            "{{#twigs?}}<ul>{{#twigs}}<li>{{name}}{{/twigs}}</ul>{{/twigs?}}{{#remark?}}{{name}}: {{#remark}}{{.}}{{/remark}}"
            + "{{/remark?}}{{#isLast?}}!{{/isLast?}}"
        let library = try library(["branch": "{{% CONTENT_TYPE:SAFE}}\n\(text)"], pages: [Branch.self])
        let leaf = Branch.Twig(name: "c", remark: nil, twigs: [])
        let full = Branch(name: "x", remark: "y", isLast: true, twigs: [leaf, leaf])
        #expect(try library.html(of: full) == "<ul><li>c<li>c</ul>x: y!")
        #expect(try library.html(of: Branch(name: "x", remark: nil, isLast: false, twigs: [])) == "")
    }

    @Test("A text area keeps a first line that is empty")
    func firstNewline() throws {
        let entry = Samples.entry("motd", .string, stored: .string("\nsecond"))
        let page = FlagPage(
            frame: Samples.frame(), entry: entry, view: Samples.view(Samples.catalogue([entry])))
        let html = try Samples.pageSet.templates.html(of: page)
        #expect(html.contains(">\n\nsecond</textarea>"))
    }
}
