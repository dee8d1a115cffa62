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
    }

    private func library(_ templates: [String: String]) throws -> TemplateLibrary {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in templates {
            try Data(text.utf8).write(to: directory.appending(path: "\(name).mustache"))
        }
        return try TemplateLibrary(directory: directory, pages: [Note.self])
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
        let library = try TemplateLibrary(directory: Samples.templates)
        for page in Samples.pages {
            let html = try library.render(page)
            #expect(html.hasPrefix("<!DOCTYPE html>"))
            #expect(html.hasSuffix("</html>\n"))
            #expect(!html.contains("{{"))
            #expect(!html.contains("Optional("))
        }
    }

    @Test("A template is known by its name, whatever folder it is in, and two of one name are refused")
    func folders() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: directory) } }
        for name in ["a/note", "b/part"] {
            let file = directory.appending(path: "\(name).mustache")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("{{% CONTENT_TYPE:SAFE}}\n\(name == "a/note" ? "{{>part}}" : "{{text}}")".utf8).write(to: file)
        }
        let library = try TemplateLibrary(directory: directory, pages: [Note.self])
        #expect(try library.render(Note(text: "hello")).hasSuffix("hello"))
        try FileManager.default.copyItem(
            at: directory.appending(path: "b/part.mustache"), to: directory.appending(path: "a/part.mustache"))
        let error = #expect(throws: TemplateError.self) {
            try TemplateLibrary(directory: directory, pages: [Note.self])
        }
        #expect(try #require(error).description.contains("part is not valid mustache: two files have this name."))
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
        let html = try library.render(Note(text: text))
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
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{>*text}}"], "names no template"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{>part}}"], "note needs part"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{<part}}{{/part}}"], "note needs part"),
            (["note": "{{% CONTENT_TYPE:SAFE}}\n{{#text}}"], "note is not valid mustache"),
            (["other": "{{% CONTENT_TYPE:SAFE}}\n"], "note doesn't exist"),
            ([:], "holds no templates"),
        ])
    func faults(templates: [String: String], cause: String) throws {
        #expect(try #require(refusal(templates)).contains(cause))
    }

    @Test("A text area keeps a first line that is empty")
    func firstNewline() throws {
        let entry = Samples.entry("motd", .string, stored: .string("\nsecond"))
        let page = FlagPage(
            frame: Samples.frame(), entry: entry, view: Samples.view(Samples.catalogue([entry])))
        let html = try TemplateLibrary(directory: Samples.templates).render(page)
        #expect(html.contains(">\n\nsecond</textarea>"))
    }
}
