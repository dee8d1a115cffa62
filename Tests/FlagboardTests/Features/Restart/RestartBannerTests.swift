import FeatureFlags
import Testing

@testable import FlagChanges
@testable import Flagboard

@Suite("The banner of what waits for a restart")
struct RestartBannerTests {
    private func banner(
        _ waits: [String], lacksPruned: Bool, by role: ChangeAuthor.Role = .admin
    ) -> RestartBanner? {
        var view = Samples.view(by: role)
        view.pendingRestart = PendingRestart(
            waits: waits.map { PendingRestart.Wait(key: Samples.key($0), name: "", before: nil, now: .bool(true)) },
            lastRow: 4, lacksPruned: lacksPruned)
        return RestartBanner(view)
    }

    @Test("It counts what waits, and is not there where nothing does")
    func counts() {
        #expect(banner([], lacksPruned: false) == nil)
        #expect(banner(["a"], lacksPruned: false)?.heading == "1 change pending app restart")
        let two = banner(["a", "b"], lacksPruned: false)
        #expect(two?.heading == "2 changes pending app restart" && two?.caution == nil)
    }

    @Test("Where rows were pruned before a restart was reported, it says so, be it that nothing is known to wait")
    func pruned() throws {
        #expect(try #require(banner(["a"], lacksPruned: true)).caution != nil)
        let unknown = try #require(banner([], lacksPruned: true))
        #expect(unknown.heading == "Changes may be pending app restart")
        #expect(unknown.caution != nil && unknown.row == "4" && !unknown.hasItems)
        #expect(banner([], lacksPruned: true, by: .viewer) == nil)
        let frame = PageFrame(fileName: "flags.xml", providers: [], restart: unknown)
        let html = try Samples.pageSet.templates.html(of: HelpPage(frame: frame))
        #expect(html.contains(unknown.heading) && !html.contains("restart-values"))
    }
}
