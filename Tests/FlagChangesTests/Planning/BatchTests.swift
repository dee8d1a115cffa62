import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Changes made together")
struct BatchTests {
    let project: Project
    private let second: URL
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")
    private let region = FlagKeyPath.of("checkout", "region")

    init() throws {
        project = try Project()
        second = project.folder.appending(path: "second.xml")
        try Data(Project.values.utf8).write(to: second)
    }

    private func service(_ options: ChangeService.Options = .init(clock: { Project.now })) throws -> ChangeService {
        let others = [FlagFiles.Provider(name: "Second", url: second, isWritable: true)]
        return try ChangeService(files: FlagFiles(values: project.file, others: others), options: options)
    }

    private func contents() throws -> [String] {
        try [project.file, second, project.manifestFile].map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test("Several flags, providers and the manifest change together, by one replacement of each file")
    func changesTogether() async throws {
        let replaced = Counter()
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            replaced.add()
            try AtomicFile.exchange(temporary, with: url)
        }
        let service = try service(options)
        let outcomes = try await service.apply(
            ChangeRequest(
                [
                    Change(key: limit, action: .setText("6"), reason: "first"),
                    Change(key: enabled, action: .setText("false")),
                    Change(key: enabled, action: .setText("true"), provider: "Second"),
                    Change(key: limit, action: .reset, provider: "Second"), Change(key: limit, action: .lock),
                    Change(key: region, action: .unlock), Change(key: region, action: .setText("south")),
                    Change(key: region, action: .lock),
                ], by: Project.author))
        #expect(replaced.value == 3)
        let rows = try service.rows()
        #expect(outcomes.map { if case .applied(let row) = $0 { row } else { nil } }.compactMap(\.self) == rows)
        #expect(outcomes[2] == .unchanged)
        #expect(rows.map(\.event.kind) == [.set, .set, .reset, .lock, .unlock, .set, .lock])
        #expect(rows.map(\.event.provider) == ["Local", "Local", "Second", nil, nil, "Local", nil])
        #expect(Set(rows.map(\.event.batch)).count == 1)
        let texts = try contents()
        #expect(texts[0].contains("<integer>6<") && texts[0].contains("<false/>") && texts[0].contains("south"))
        #expect(!texts[1].contains("limit"))
        #expect(texts[2].components(separatedBy: "<key>isLocked</key><true/>").count == 3)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", "second.xml"])
        let catalogue = try await service.catalogue()
        #expect(catalogue[limit]?.definition.metadata.isLocked == true)
        #expect(catalogue[region]?.resolution.effectiveValue == .string("south"))
    }

    @Test("When one change is refused none is made, and each says what is wrong with it or what it would have done")
    func refusesTogether() async throws {
        let service = try service()
        let before = try contents()
        let batch = [
            Change(key: limit, action: .setText("6")), Change(key: limit, action: .setText("60")),
            Change(key: region, action: .reset), Change(key: enabled, action: .reset),
            Change(key: .of("hidden", "token"), action: .setText("x")),
        ]
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author))
        }
        #expect(refusal.changes.map(\.change) == batch)
        #expect(refusal.changes.map { $0.refusal?.reason } == [nil, .invalid, .locked, nil, .unknown])
        #expect(refusal.cause.reason == .invalid)
        #expect(
            refusal.changes.map(\.before) == [.integer(5), .integer(6), .string("north"), .bool(true), nil])
        #expect(refusal.changes.map(\.after) == [.integer(6), nil, nil, nil, nil])
        #expect(refusal.description.split(separator: "\n").count == 3)
        #expect(try contents() == before)
        #expect(try service.rows().map(\.event.kind) == [.denied])
    }

    @Test("A preview says the same and writes nothing, not even that something was denied")
    func previews() async throws {
        let service = try service()
        let batch = [
            Change(key: limit, action: .setText("6"), provider: "Second"),
            Change(key: enabled, action: .setText("true")),
            Change(key: region, action: .unlock), Change(key: region, action: .setText("south")),
        ]
        let before = try contents()
        let previews = try await service.preview(ChangeRequest(batch, by: Project.author))
        #expect(previews.map { $0.refusal?.reason } == [nil, nil, nil, nil])
        #expect(previews.map(\.changesNothing) == [false, true, false, false])
        #expect(previews.map(\.provider) == ["Second", "Local", nil, "Local"])
        #expect(previews[3].before == .string("north") && previews[3].after == .string("south"))
        let editor = ChangeAuthor(name: "ed", role: .editor, origin: .form)
        let refused = try await service.preview(ChangeRequest(batch, by: editor))
        #expect(refused.map { $0.refusal?.reason } == [nil, nil, .notAllowed, .locked])
        #expect(try contents() == before)
        #expect(try service.rows().isEmpty)
        let outcomes = try await service.apply(ChangeRequest(batch, by: Project.author))
        #expect(outcomes.map { $0 == .unchanged } == previews.map(\.changesNothing))
    }

    @Test("Values that are set together leave what they leave one by one: the file, the rows and what is told")
    func sameTogetherAsOneByOne() async throws {
        let keys = (0..<40).map { FlagKeyPath.of("many", "flag\($0)") }
        let flags = keys.map { ($0.text, "integer", "") } + [("options", "json", ""), ("fast", "bool", "")]
        func changed(_ isTogether: Bool) async throws -> (Data, [HistoryEvent], [ChangePreview]) {
            let project = try Project(
                values: Project.plist("<key>many</key><dict><key>flag3</key><integer>1</integer></dict>"),
                manifest: Project.manifest(flags))
            let service = try ChangeService(
                files: FlagFiles(values: project.file), options: .init(clock: { Project.now }))
            var batch = keys.map { Change(key: $0, action: .setText("7")) }
            batch += keys.prefix(3).map { Change(key: $0, action: .reset) }
            batch += [
                Change(key: .of("options"), action: .setText("{\"a\": [1, 2.5]}")),
                Change(key: keys[4], action: .setText("7")), Change(key: .of("fast"), action: .reset),
            ]
            let previews = try await service.preview(ChangeRequest(batch, by: Project.author))
            for batch in isTogether ? [batch] : batch.map({ [$0] }) {
                _ = try await service.apply(ChangeRequest(batch, by: Project.author))
            }
            return (try Data(contentsOf: project.file), try service.rows().map(\.event), previews)
        }
        let (together, one) = (try await changed(true), try await changed(false))
        #expect(String(decoding: together.0, as: UTF8.self) == String(decoding: one.0, as: UTF8.self))
        #expect(together.1.count == 44 && one.1.count == 44)
        #expect(together.1.map(\.after) == one.1.map(\.after) && together.1.map(\.before) == one.1.map(\.before))
        #expect(together.1.map(\.kind) == one.1.map(\.kind) && together.1.map(\.key) == one.1.map(\.key))
        #expect(together.2 == one.2)
        // A row of values that were set together names the file as it was before all of them and after.
        #expect(Set(together.1.prefix(40).map(\.fileHashBefore)).count == 1)
        #expect(together.1.last?.fileHashAfter == ContentHash.sha256(together.0))
    }

    @Test("Of values that are set together, one that nobody defined is checked against those before it")
    func checksUndefinedTogether() async throws {
        let service = try service()
        let batch = [
            Change(key: .of("stray"), action: .reset), Change(key: limit, action: .setText("6")),
            Change(key: .of("stray"), action: .setText("back")),
        ]
        let previews = try await service.preview(ChangeRequest(batch, by: Project.author))
        // The second file holds it still, so there is such a flag.
        #expect(previews.map { $0.refusal?.reason } == [nil, nil, nil])
        #expect(previews[2].before == nil && previews[2].after == .string("back"))
        let both = [batch[0], Change(key: .of("stray"), action: .reset, provider: "Second"), batch[2]]
        #expect(
            try await service.preview(ChangeRequest(both, by: Project.author)).map { $0.refusal?.reason } == [
                nil, nil, .unknown,
            ])
    }

    @Test("A value that does not fit is refused alone, and the others of its batch are told as they would be")
    func refusesWhatDoesNotFit() async throws {
        let service = try ChangeService(files: FlagFiles(values: project.file, maximumFileSize: 1_000_000))
        let long = String(repeating: "x", count: 1_000_000)
        let batch = [
            Change(key: limit, action: .setText("6")), Change(key: .of("stray"), action: .setText(long)),
            Change(key: enabled, action: .setText("false")),
        ]
        let previews = try await service.preview(ChangeRequest(batch, by: Project.author))
        #expect(previews.map { $0.refusal?.reason } == [nil, .invalid, nil])
        #expect(previews.map(\.after) == [.integer(6), nil, .bool(false)])
        #expect(previews[1].refusal?.description.contains("the limit is") == true)
    }

    @Test("Flags get a tag and lose it together: only the bytes of their tags change, each has its row")
    func tagsTogether() async throws {
        let service = try service()
        let keys = [limit, enabled, .of("checkout", "fast"), region]
        func batch(_ isSet: Bool) -> [Change] { keys.map { Change(key: $0, action: .tag("spring", isSet: isSet)) } }
        let old = try contents()
        let stray = Change(key: .of("stray"), action: .tag("spring", isSet: true))
        let previews = try await service.preview(ChangeRequest(batch(true) + [stray], by: Project.author))
        #expect(previews.map { $0.refusal?.reason } == [nil, nil, nil, nil, .invalid])
        #expect(previews[4].refusal?.description.contains("no definition") == true)
        _ = try await service.apply(ChangeRequest(batch(true), by: Project.author))
        let tagged = try contents()
        #expect(tagged[0] == old[0] && tagged[1] == old[1])
        #expect(tagged[2].components(separatedBy: "<key>tags</key>").count == 5)
        #expect(try await service.catalogue().entries.count { $0.definition.metadata.tags == ["spring"] } == 4)
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == Array(repeating: .redefine, count: 4))
        #expect(rows.last?.event.fileHashAfter == ContentHash.sha256(Data(tagged[2].utf8)))
        #expect(try await service.apply(ChangeRequest(batch(true), by: Project.author)).allSatisfy { $0 == .unchanged })
        _ = try await service.apply(ChangeRequest(batch(false), by: Project.author))
        let untagged = try PropertyListDocument(source: Data(contents()[2].utf8))
        #expect(untagged.root == (try PropertyListDocument(source: Data(old[2].utf8))).root)
        let editor = ChangeAuthor(name: "ed", role: .editor, origin: .form)
        let refused = try await service.preview(ChangeRequest(batch(true), by: editor))
        #expect(refused.allSatisfy { $0.refusal?.reason == .notAllowed })
        let blank = try await service.preview(
            ChangeRequest([Change(key: limit, action: .tag(" ", isSet: true))], by: Project.author))
        #expect(blank[0].refusal?.problems == ["tag": "Enter a tag."])
    }

    @Test("A batch of nothing does nothing")
    func empty() async throws {
        let service = try service()
        #expect(try await service.apply(ChangeRequest([], by: Project.author)).isEmpty)
        #expect(try service.rows().isEmpty)
    }

    @Test("When a file can't be replaced, those before it are put back, and the service goes on", arguments: [1, 2, 3])
    func putsBack(failing: Int) async throws {
        let count = Counter()
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            if count.add() == failing { try FileAccessError.failing() }
            try AtomicFile.exchange(temporary, with: url)
        }
        let service = try service(options)
        let before = try contents()
        let batch = [
            Change(key: limit, action: .setText("6")), Change(key: limit, action: .setText("7"), provider: "Second"),
            Change(key: limit, action: .lock),
        ]
        let refusal = try await #require(throws: BatchError.self) {
            try await service.apply(ChangeRequest(batch, by: Project.author))
        }
        #expect(refusal.cause.remedy.contains("Nothing was changed"))
        #expect(try contents() == before)
        #expect(try service.rows().isEmpty)
        #expect(try service.history.openIntents().isEmpty)
        #expect(try await service.fileProblems().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", "second.xml"])
        #expect(try await service.apply(ChangeRequest(batch, by: Project.author)).count == 3)
    }

    @Test("An edit of any of its files at the moment of a batch is kept, and the batch made on top", arguments: [1, 2])
    func racesBatch(racing: Int) async throws {
        let count = Counter()
        var options = ChangeService.Options(clock: { Project.now })
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            if count.add() == racing {
                do {
                    let text = try String(contentsOf: url, encoding: .utf8)
                    try Data(text.replacingOccurrences(of: "nobody defined me", with: "raced").utf8)
                        .write(to: url, options: .atomic)
                } catch {
                    Issue.record(error)
                }
            }
            try AtomicFile.exchange(temporary, with: url)
        }
        let service = try service(options)
        _ = try await service.apply(
            ChangeRequest(
                [
                    Change(key: limit, action: .setText("6")),
                    Change(key: limit, action: .setText("7"), provider: "Second"),
                ], by: Project.author))
        let texts = try contents()
        #expect(texts[0].contains("<integer>6<") && texts[1].contains("<integer>7<"))
        #expect(texts[racing - 1].contains("raced") && !texts[2 - racing].contains("raced"))
        #expect(try service.rows().map(\.event.kind) == [.external, .set, .set])
        #expect(try service.history.openIntents().isEmpty)
    }
}
