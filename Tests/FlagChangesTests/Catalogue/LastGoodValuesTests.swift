import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("What counts of a file that is broken, or holds a mistyped value")
struct LastGoodValuesTests {
    private static let sound = "<key>fee</key><integer>7</integer><key>loose</key><string>kept</string>"
    private let project: Project

    init() throws {
        project = try Project(
            values: Project.plist(Self.sound),
            manifest: Project.manifest([
                ("fee", "integer", "<key>default</key><integer>1</integer>"), ("other", "bool", ""),
            ]))
    }

    private func resolution(_ name: String, _ service: ChangeService) async throws -> FlagResolution? {
        try await service.shownFlags().catalogue[FlagKeyPath.of(name)]?.resolution
    }

    /// What goes wrong with the file.
    enum Breakage: CaseIterable {
        case unreadable, missing, mistyped

        func happens(to project: Project) throws {
            switch self {
            case .unreadable: try Data("no plist".utf8).write(to: project.file)
            case .missing: try FileManager.default.removeItem(at: project.file)
            case .mistyped:
                try project.write(
                    Project.plist("<key>fee</key><string>x</string><key>loose</key><string>kept</string>"))
            }
        }
    }

    @Test("The last good value counts, marked as stale, and the broken source is named", arguments: Breakage.allCases)
    func lastGood(_ breakage: Breakage) async throws {
        let service = try project.service()
        #expect(try await resolution("fee", service)?.isStale == false)
        try breakage.happens(to: project)
        let fee = try #require(try await resolution("fee", service))
        #expect(fee.effectiveValue == .integer(7) && fee.isStale)
        #expect(fee.source == .provider(FlagFiles.localProviderName))
        #expect(fee.brokenSources.map(\.provider) == [FlagFiles.localProviderName])
        #expect(try await resolution("loose", service)?.effectiveValue == .string("kept"))
    }

    @Test("It counts after a restart too, as the history has it", arguments: Breakage.allCases, [true, false])
    func restart(_ breakage: Breakage, isServed: Bool) async throws {
        do { _ = try await project.service().shownFlags() }
        try breakage.happens(to: project)
        for _ in 0..<2 {
            let service =
                isServed ? try project.service() : try ChangeService(observing: FlagFiles(values: project.file))
            let fee = try #require(try await resolution("fee", service))
            #expect(fee.effectiveValue == .integer(7) && fee.isStale)
        }
    }

    @Test("A value that was set by us, and changed by others since, is the last good one once that is mistyped")
    func newest() async throws {
        let service = try project.service()
        let key = FlagKeyPath.of("fee")
        _ = try await service.apply(Change(key: key, action: .setText("8")), by: Project.author)
        try project.write(Project.plist("<key>fee</key><integer>9</integer>"))
        _ = try await service.shownFlags()
        for text in ["x", "y"] {
            try project.write(Project.plist("<key>fee</key><string>\(text)</string>"))
            #expect(try await resolution("fee", service)?.effectiveValue == .integer(9))
        }
        // An edit of another flag leaves it as it is.
        try project.write(Project.plist("<key>fee</key><string>y</string><key>other</key><true/>"))
        #expect(try await resolution("fee", service)?.effectiveValue == .integer(9))
        _ = try await service.apply(Change(key: FlagKeyPath.of("other"), action: .setText("false")), by: Project.author)
        #expect(try await resolution("fee", service)?.effectiveValue == .integer(9))
    }

    @Test("A flag without a definition has its last good value too, after a restart as well", arguments: [true, false])
    func undefined(hasManifest: Bool) async throws {
        let project = try Project(
            values: Project.plist(
                "<key>loose</key><integer>7</integer><key>list</key><array><integer>1</integer></array>"),
            manifest: hasManifest ? Project.manifest([("other", "bool", "")]) : nil)
        func check(_ service: ChangeService) async throws {
            let catalogue = try await service.shownFlags().catalogue
            let loose = try #require(catalogue[.of("loose")]?.resolution)
            #expect(loose.effectiveValue == .integer(7) && loose.isStale)
            #expect(catalogue[.of("list")]?.resolution.effectiveValue == .array([.integer(1)]))
        }
        do {
            let service = try project.service()
            _ = try await service.shownFlags()
            try project.write(
                Project.plist(
                    "<key>loose</key><integer>seven</integer><key>list</key><array><integer>one</integer></array>"))
            try await check(service)
        }
        try await check(project.service())
    }

    @Test("What another program altered in the history is no last good value")
    func altered() async throws {
        let key = FlagKeyPath.of("fee")
        do {
            let service = try project.service()
            for text in ["8", "9"] {
                _ = try await service.apply(Change(key: key, action: .setText(text)), by: Project.author)
            }
            try project.write(Project.plist("<key>fee</key><string>x</string>"))
            #expect(try await resolution("fee", service)?.effectiveValue == .integer(9))
            service.history.close()
        }
        try RowRefusal.alterRows(
            of: project.folder.appending(path: "flags.history.sqlite"),
            "UPDATE history SET \"before\" = replace(\"before\", '9', '6') WHERE path = 'fee/' AND origin = 'external'")
        let fee = try #require(try await resolution("fee", project.service()))
        #expect(fee.effectiveValue == .integer(1) && fee.source == .defaultValue)
    }

    @Test("A value that was removed is absent, whatever comes in its place afterwards", arguments: [true, false])
    func removed(isSeen: Bool) async throws {
        let service = try project.service()
        _ = try await service.shownFlags()
        try project.write(Project.plist("<key>loose</key><string>kept</string>"))
        if isSeen {
            let fee = try #require(try await resolution("fee", service))
            #expect(fee.effectiveValue == .integer(1) && fee.source == .defaultValue && fee.brokenSources.isEmpty)
        }
        try Data("no plist".utf8).write(to: project.file)
        if isSeen { #expect(try await resolution("fee", service)?.source == .defaultValue) }
        try project.write(Project.plist("<key>fee</key><string>x</string>"))
        let fee = try #require(try await resolution("fee", service))
        #expect(fee.source == (isSeen ? .defaultValue : .provider(FlagFiles.localProviderName)))
        #expect(fee.brokenSources.map(\.provider) == [FlagFiles.localProviderName])
    }

    @Test("Where there never was a good value, the default counts, and the broken source is named")
    func neverGood() async throws {
        try project.write(Project.plist("<key>fee</key><string>x</string>"))
        let service = try project.service()
        let entry = try #require(try await service.shownFlags().catalogue[FlagKeyPath.of("fee")])
        #expect(entry.resolution.effectiveValue == .integer(1) && entry.resolution.source == .defaultValue)
        #expect(!entry.resolution.isStale && entry.resolution.brokenSources.count == 1 && entry.ignorance == nil)
    }

    @Test("Without a default nothing is known, which is told; a flag that no source holds just has no value")
    func unknown() async throws {
        try project.write(Project.plist("<key>other</key><string>x</string>"))
        let flags = try await project.service().shownFlags()
        #expect(flags.catalogue[FlagKeyPath.of("other")]?.ignorance?.contains("has no last good value") == true)
        #expect(flags.ignorance == nil)
        try project.write(Project.plist(""))
        let others = try await ChangeService(observing: FlagFiles(values: project.file)).shownFlags()
        #expect(others.catalogue[FlagKeyPath.of("other")]?.ignorance == nil)
    }

    @Test("Where no flag is known and a file can't be read, that is told rather than that there are none")
    func noFlags() async throws {
        let project = try Project(values: Project.plist(""), manifest: nil)
        let service = try project.service()
        #expect(try await service.shownFlags().ignorance == nil)
        try Data("no plist".utf8).write(to: project.file)
        #expect(try await service.shownFlags().ignorance?.reason == .unavailable)
        try project.write(Project.plist("<key>on</key><true/>"))
        #expect(try await service.shownFlags().ignorance == nil)
    }

    @Test("A file that can't be read is refused at the start where nothing is known of it", arguments: [true, false])
    func unknownAtStart(isServed: Bool) throws {
        try Data("no plist".utf8).write(to: project.file)
        #expect(throws: ChangeServiceStartError.self) {
            _ = isServed ? try project.service() : try ChangeService(observing: FlagFiles(values: project.file))
        }
    }

    @Test("A broken file tells nothing of flags whose value is from another one")
    func otherFile() async throws {
        let url = project.folder.appending(path: "second.xml")
        try Data(Project.plist("<key>fee</key><integer>5</integer><key>other</key><true/>").utf8).write(to: url)
        let service = try project.service(others: [FlagFiles.Provider(name: "Second", url: url, isWritable: true)])
        _ = try await service.shownFlags()
        try Data("no plist".utf8).write(to: url)
        let fee = try #require(try await resolution("fee", service))
        #expect(!fee.isStale && fee.brokenSources.isEmpty && fee.readings[1].lastGood == .integer(5))
        let other = try #require(try await resolution("other", service))
        #expect(other.isStale && other.effectiveValue == .bool(true) && other.source == .provider("Second"))
    }

    @Test("What the file holds once it is repaired is what counts, and an undefined flag that it lost is gone")
    func repaired() async throws {
        let service = try project.service()
        _ = try await service.shownFlags()
        try Data("no plist".utf8).write(to: project.file)
        #expect(try await resolution("loose", service)?.isStale == true)
        try project.write(Project.plist("<key>fee</key><integer>9</integer>"))
        let fee = try #require(try await resolution("fee", service))
        #expect(fee.effectiveValue == .integer(9) && !fee.isStale && fee.brokenSources.isEmpty)
        #expect(try await resolution("loose", service) == nil)
    }

    @Test("The same bytes come to another last good value where another one was before them, and to another version")
    func sameBytes() async throws {
        let service = try project.service()
        let broken = Project.plist("<key>fee</key><string>x</string>")
        var versions: [FilesVersion?] = []
        for number in [7, 8] {
            try project.write(Project.plist("<key>fee</key><integer>\(number)</integer>"))
            _ = try await service.shownFlags()
            try project.write(broken)
            let flags = try await service.shownFlags()
            #expect(flags.catalogue[FlagKeyPath.of("fee")]?.resolution.effectiveValue == .integer(Int128(number)))
            versions.append(flags.wholeVersion)
        }
        #expect(versions[0] != nil && versions[0] != versions[1])
    }
}
