import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("What the history remembers of flags, carried on from change to change")
struct CarriedOnTests {
    /// A time after which every override of before looks forgotten.
    private let clock = SettableTime(Project.now)

    private func options() -> ChangeService.Options {
        var options = ChangeService.Options(clock: { [clock] in clock.now })
        options.halfWrittenPatience = .zero
        return options
    }

    @Test("After each change, waits and forgotten overrides are those that a service finds that knows nothing yet")
    func same() async throws {
        let names = (0..<6).map { "flag\($0)" }
        let restart = "<key>requiresRestart</key><true/><key>default</key><integer>0</integer>"
        let project = try Project(
            values: Project.plist(names.prefix(4).map { "<key>\($0)</key><integer>1</integer>" }.joined()),
            manifest: Project.manifest(names.map { ($0, "integer", restart) }))
        let service = try project.service(options())
        var random = SplitMix(seed: 4711)
        var told: Set<Int> = []
        func act(_ step: Int) async throws {
            let key = FlagKeyPath.of(names[Int.random(in: 0..<names.count, using: &random)])
            switch step % 8 {
            case 3 where step < 24:
                _ = try await service.apply(Change(key: key, action: .reset), by: Project.author)
            case 5: try project.write(Project.plist("<key>\(key.text)</key><integer>\(step)</integer>"))
            case 6: _ = try await service.apply(Change(key: key, action: .lock), by: Project.author)
            case 7: _ = try await service.apply(Change(key: key, action: .unlock), by: Project.author)
            case 4 where step > 20: try await service.recordRestart(by: Project.author)
            default:
                do {
                    _ = try await service.apply(Change(key: key, action: .setText("\(step)")), by: Project.author)
                } catch {
                    #expect(error.reason == .locked)
                }
            }
        }
        for step in 0..<48 {
            if step == 24 { clock.advance(days: 200) }
            try await act(step)
            let (known, fresh) = (
                try await service.overview(),
                try await ChangeService(observing: service.files, options: options()).overview()
            )
            #expect(known.pendingRestart == fresh.pendingRestart, "step \(step)")
            #expect(known.unchanged == fresh.unchanged, "step \(step)")
            told.formUnion([known.pendingRestart.waits.count, 100 + known.unchanged.count])
        }
        #expect(told.count > 6, "there is something to tell")
    }

    @Test("A change has that flag alone looked up, of however many there are")
    func looksUpOne() async throws {
        let names = (0..<300).map { "flag\($0)" }
        let project = try Project(
            values: Project.plist(names.map { "<key>\($0)</key><true/>" }.joined()),
            manifest: Project.manifest(names.map { ($0, "bool", "") }))
        let service = try project.service(options())
        var cache = HistoryLookupCache<Int, Int64>()
        var (asked, lookedUp): ([String], Set<FlagKeyPath>) = ([], [])
        func found() async throws -> [FlagKeyPath: Int64] {
            let overview = try await service.overview()
            (asked, lookedUp) = ([], [])
            return try cache.found(overview.files, 0, service.history, in: overview.catalogue) {
                asked.append($0.key.text)
                return $0.resolution.isOverridden
            } lookUp: { (keys) throws(HistoryStoreError) in
                lookedUp = keys
                return try service.history.lastChanges(of: keys, hiddenKeys: overview.hiddenKeys).mapValues(\.id)
            }
        }
        #expect(try await found().isEmpty)
        #expect(asked.count == 300 && lookedUp.count == 300)
        _ = try await service.apply(Change(key: .of("flag7"), action: .setText("false")), by: Project.author)
        #expect(try await found() == [.of("flag7"): 1])
        #expect(asked == ["flag7"] && lookedUp == [.of("flag7")])
        #expect(try await found() == [.of("flag7"): 1])
        #expect(asked.isEmpty && lookedUp.isEmpty)
        _ = try await service.apply(Change(key: .of("flag7"), action: .reset), by: Project.author)
        #expect(try await found().isEmpty)
        #expect(asked == ["flag7"] && lookedUp.isEmpty)
    }
}
