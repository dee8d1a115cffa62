import FeatureFlags
import FlagChanges
import Foundation
import Testing

@Suite("What stands in the way, for every reader and for the operator")
struct ObstacleTests {
    private let log = Log()

    private func service(_ project: Project) throws -> ChangeService {
        try project.service(ChangeService.Options(log: log.add))
    }

    /// Everything that a reader gets to see while a file is broken.
    private func shown(_ service: ChangeService) async throws -> String {
        let overview = try await service.overview()
        var texts = overview.fileProblems.map { "\($0)" } + overview.catalogue.entries.map { "\($0)" }
        for change in [Change(key: .of("checkout", "limit"), action: .reset)] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(change, by: Project.author)
            }
            texts += [refusal.description, refusal.remedy]
        }
        return texts.joined(separator: "\n")
    }

    @Test(
        "A broken values file is shown with its place and what to do, and what it holds is left to the log",
        arguments: [
            ("", "a key has no value at line 18, column 3; add one after it, or remove the key."),
            (
                "<string>secret</string><token of=\"x\"/>",
                "this is not a property list element at line 19, column 26; correct its name, or remove it."
            ),
        ])
    func hidesValues(broken: String, problem: String) async throws {
        let project = try Project()
        let service = try service(project)
        try project.write(Project.values.replacingOccurrences(of: "<string>secret</string>", with: broken))
        let shown = try await shown(service)
        #expect(shown.contains("Can't read flags.xml: \(problem)\n"), "\(shown)")
        #expect(!shown.contains("token") && !shown.contains("secret"), "\(shown)")
        #expect(log.lines.contains { $0.contains("token") || $0.contains("secret") }, "\(log.lines)")
        _ = try await service.overview()
        #expect(log.lines.count == 1)
    }

    @Test("A manifest that is not valid is shown with the places of its faults, and their flags are left to the log")
    func hidesDefinitions() async throws {
        let project = try Project()
        let service = try service(project)
        let token = "<key>key</key><string>hidden/token</string><key>type</key><string>"
        try project.writeManifest(
            Project.manifest.replacingOccurrences(of: "\(token)string<", with: "\(token)secret<"))
        let shown = try await shown(service)
        #expect(shown.contains("flags.manifest.xml: line 15"))
        #expect(!shown.contains("token") && !shown.contains("secret"), "\(shown)")
        #expect(log.lines.contains { $0.contains("hidden/token") && $0.contains("secret") })
    }

    @Test("While a file is broken its last good values are exported as effective, never defaults, and that is told")
    func exportsNoDefaults() async throws {
        let project = try Project()
        let service = try service(project)
        let sound = try await service.exportedEffectiveValues()
        #expect(sound.broken.keys.sorted() == [FlagFiles.localProviderName])
        try project.write("<plist")
        let broken = try await service.exportedEffectiveValues()
        #expect(broken.data == sound.data)
        #expect(broken.broken[FlagFiles.localProviderName]?.contains("flags.xml: invalid XML at line 1") == true)
    }
}
