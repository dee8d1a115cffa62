import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

@Suite("Fields of the manifest that were likely meant to have an effect")
struct MistakenFieldTests {
    private let log = Log()
    private let values = Project.plist("<key>a</key><true/><key>b</key><true/><key>hidden</key><true/>")

    private func manifest(a: String = "", b: String = "", more: String = "") -> String {
        Project.manifest([
            ("a", "bool", a), ("b", "bool", b), ("hidden", "bool", "<key>isInternal</key><true/>\(more)"),
        ])
    }

    private func service(_ project: Project, showsInternal: Bool = false) throws -> ChangeService {
        try project.service(ChangeService.Options(showsInternal: showsInternal, log: log.add))
    }

    @Test("The log names each once, at the start and when an edit brings it, with its place and what is likely meant")
    func logged() async throws {
        let project = try Project(values: values, manifest: manifest(a: "<key>islocked</key><true/>"))
        let service = try service(project)
        #expect(log.lines.count == 1)
        for part in ["flags.manifest.xml: line ", "a, islocked", "no effect", "did you mean isLocked?"] {
            #expect(log.lines[0].contains(part), "\(log.lines)")
        }
        _ = try await service.overview()
        try project.writeManifest(
            manifest(a: "\n\n<key>islocked</key><true/>", b: "<key>jira</key><string>X-1</string>"))
        _ = try await service.overview()
        #expect(log.lines.count == 1, "it only stands elsewhere, and a field of one's own is no news: \(log.lines)")
        try project.writeManifest(manifest(a: "<key>islocked</key><true/>", more: "<key>requireRestart</key><true/>"))
        _ = try await service.overview()
        _ = try await service.overview()
        #expect(log.lines.count == 2)
        #expect(log.lines[1].contains("hidden, requireRestart"))
    }

    @Test("Who may see a flag is told of its fields, and nobody is told of an internal one's")
    func shown() async throws {
        let slip = "<key>islocked</key><true/>"
        let project = try Project(values: values, manifest: manifest(b: slip + "<key>jira</key><true/>", more: slip))
        do {
            let catalogue = try await service(project).catalogue()
            #expect(catalogue.mistakenFields.map(\.owner) == [.flag(.of("b"))])
            #expect(catalogue[.of("b")]?.unknownFields.map(\.name) == ["islocked", "jira"])
            #expect(catalogue[.of("a")]?.unknownFields == [])
        }
        let catalogue = try await service(project, showsInternal: true).catalogue()
        #expect(catalogue.mistakenFields.map(\.owner) == [.flag(.of("b")), .flag(.of("hidden"))])
    }

    @Test("A change of a value keeps them, and one that takes the field away is the end of it")
    func kept() async throws {
        let project = try Project(values: values, manifest: manifest(b: "<key>islocked</key><true/>"))
        let service = try service(project)
        _ = try await service.apply(Change(key: .of("b"), action: .setText("false")), by: Project.author)
        #expect(try await service.catalogue()[.of("b")]?.unknownFields.map(\.name) == ["islocked"])
        #expect(try await service.catalogue().mistakenFields.count == 1)
        try project.writeManifest(manifest(b: "<key>isLocked</key><true/>"))
        let catalogue = try await service.catalogue()
        #expect(catalogue.mistakenFields.isEmpty)
        #expect(catalogue[.of("b")]?.definition.metadata.isLocked == true)
    }

    @Test("The fields of a group of internal flags alone are told to nobody, nor is a group without flags")
    func groups() async throws {
        let flags = [("shown/a", "bool", ""), ("secret/b", "bool", "<key>isInternal</key><true/>")]
        let text = Project.manifest(flags, collections: ["shown", "secret", "empty"])
            .replacingOccurrences(of: "shown</string></dict>", with: "shown</string><key>isLocked</key><true/></dict>")
            .replacingOccurrences(of: "secret</string></dict>", with: "secret</string><key>Name</key><true/></dict>")
        let project = try Project(values: Project.plist(""), manifest: text)
        let catalogue = try await service(project).catalogue()
        #expect(catalogue.mistakenFields.map(\.owner) == [.collection(.of("shown"))])
        #expect(log.lines.count == 2)
    }

    @Test("Of very many, the log names some and counts the rest")
    func many() throws {
        let flags = (0..<60).map { ("f\($0)", "bool", "<key>islocked</key><true/>") }
        let project = try Project(values: Project.plist(""), manifest: Project.manifest(flags))
        _ = try service(project)
        #expect(log.lines.count == 21)
        #expect(log.lines.last?.contains("40 more") == true)
    }
}
