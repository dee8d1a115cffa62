import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

extension Samples {
    /// The pages that show providers side by side.
    static let comparePages: [any PageModel] = {
        let catalogue = everything
        let calm = frame(catalogue.providers)
        func compare(_ query: [String: String], _ view: CatalogueView = view()) -> ComparePage {
            ComparePage(
                frame: calm, view: view,
                filter: CompareFilter(query: query, providers: view.catalogue.providers), refused: refused())
        }
        let texts = ["a long text that ends in one", "a long text that ends in two"]
        let definition = FlagDefinition(
            key: key("t"), type: .string, metadata: FlagMetadata(isLocked: true))
        let providers = zip(["left", "right"], texts).map { FixedProvider(name: $0.0, values: ["t": .string($0.1)]) }
        let locked = Samples.catalogue([entry(definition, in: providers)], providers: providers)
        let many = Samples.catalogue((0...1000).map { entry("f\($0)", .bool, default: true) })
        let broken = [FixedProvider(name: "left", problems: ["t": "no text"], lastGood: ["t": .string("kept")])]
        let stale = Samples.catalogue(
            [entry(FlagDefinition(key: key("t"), type: .string), in: broken)], providers: broken)
        return [
            compare(["show": "all"]), compare(["q": "nothing has this"]), compare(["left": "nobody"]),
            compare(["show": "all", "page": "3"], view(many)), compare([:], view(locked)),
            compare([:], view(by: .viewer)), compare(["left": "effective", "show": "all"], view(stale)),
            compare(["right": "effective", "show": "all"], view(stale)),
            FlagListPage(frame: calm, view: view(), filter: FlagFilter(query: ["view": "providers"])),
        ]
    }()

    /// The pages that show environments side by side.
    static let environmentPages: [any PageModel] = {
        let providers = [
            FixedProvider(name: "local", values: ["t": .string("here"), "n": .integer(1)]),
            FixedProvider(
                name: "staging", isAsked: false, values: ["t": .string(String(repeating: "there", count: 40))],
                problems: ["n": "no number"]),
        ]
        let entries = [
            entry(FlagDefinition(key: key("t"), type: .string), in: providers),
            entry(FlagDefinition(key: key("n"), type: .integer, metadata: FlagMetadata(isLocked: true)), in: providers),
            entry(FlagDefinition(key: key("b"), type: .bool, defaultValue: .bool(true)), in: providers),
        ]
        let two = Samples.catalogue(entries, providers: providers)
        let many = Samples.catalogue(
            (0...1000).map { entry(FlagDefinition(key: key("f\($0)"), type: .bool), in: providers) },
            providers: providers)
        func page(
            _ query: [String: String], _ view: CatalogueView, refused: RefusedChoice? = nil
        ) -> EnvironmentsPage {
            EnvironmentsPage(
                frame: frame(view.catalogue.providers), Environments(query, in: view), refused: refused,
                copy: refused.map { _ in Environments.Copy(source: "staging", target: "local", keys: nil) })
        }
        return [
            page(["base": "nobody", "show": "all"], view(two), refused: refused(keys: [key("t")])),
            page(["show": "all", "page": "3"], view(many)), page(["q": "nothing has this"], view(two)),
            page([:], view(two, by: .viewer)), page([:], view(Samples.catalogue([]))),
            FlagPage(frame: frame(two.providers), entry: entries[0], view: view(two)),
        ] + appPages
    }()

    /// The page of a flag that connected apps read: one a value, one none.
    private static let appPages: [any PageModel] = {
        let providers =
            [FixedProvider(name: "local", values: ["t": .string("here")])]
            + ["shop", "till"].flatMap { app in
                [app, "\(app)/Memory"].map { name in
                    FixedProvider(
                        name: name, isAsked: false, connectedApp: app,
                        values: app == "shop" ? ["t": .string("there")] : [:])
                }
            }
        let flag = entry(FlagDefinition(key: key("t"), type: .string), in: providers)
        let catalogue = Samples.catalogue([flag], providers: providers)
        return [FlagPage(frame: frame(catalogue.providers), entry: flag, view: view(catalogue))]
    }()

    /// The pages of the time machine.
    static let pastPages: [any PageModel] = {
        let lists = [
            pastFlag(.bool(true), .bool(false)), pastFlag(nil, .bool(false)), pastFlag(.bool(true), nil),
            pastFlag(.bool(true), .bool(true)), pastFlag(.bool(true), .bool(false), isLocked: true),
            pastFlag(.string("a long text that ends in one"), .string("a long text that ends in two"), type: .string),
            pastFlag(.integer(1), .bool(true)), pastFlag(.bool(true), .bool(false), alteredRow: 4),
        ]
        let many = (0...1000).map { _ in lists[3] }
        return [
            pastPage(["before": "5"], lists), pastPage(["time": "2026-01-31", "show": "different"], [lists[3]]),
            pastPage(["time": "2026-01-31", "page": "3", "show": "all"], many),
            pastPage(["time": "2026-01-31", "q": "zzz"], lists),
            pastPage(["time": "2026-01-31"], lists, by: .viewer),
            pastPage(["time": "2026-01-31"], lists, isKnown: false),
            PageZone.$current.withValue(berlin) { pastPage(["before": "5"], lists) },
            TimeMachinePage(
                frame: frame(), view: view(), filter: PastFilter(query: ["time": "soon"], now: now), past: nil,
                surroundings: surroundings()),
            TimeMachinePage(
                frame: frame(), view: view(), filter: PastFilter(query: [:], now: now), past: nil,
                surroundings: surroundings(isAskedFor: false)),
            pastPage(["before": "5"], lists, isAskedFor: false),
        ]
    }()

    private static func refused(keys: [FlagKeyPath] = []) -> RefusedChoice {
        RefusedChoice(problem: "None was chosen.", form: ChoiceForm(FormFields([:]), keys: keys))
    }

    /// Changes on many days, some of them from outside.
    static func surroundings(isAskedFor: Bool = true, hasNext: Bool = true) -> MomentSurroundings {
        let change = NeighbouringChanges.Change(id: 7, at: now)
        return MomentSurroundings(
            summary: summary, begin: now.addingTimeInterval(-86_400 * 40),
            neighbours: NeighbouringChanges(
                previous: change, next: hasNext ? change : nil, afterNext: hasNext ? change : nil),
            isAskedFor: isAskedFor)
    }

    /// A flag that one provider held one value of then, and holds another one of now; `nil` for no such flag.
    private static func pastFlag(
        _ then: FlagValue?, _ now: FlagValue?, type: FlagType = .bool, isLocked: Bool = false,
        alteredRow: HistoryRecord.ID? = nil
    ) -> PastFlag {
        let metadata = FlagMetadata(isLocked: isLocked)
        let entries = [then, now].map { value in
            value.map { entry("f", type, stored: $0, metadata: metadata) }
        }
        return PastFlag(
            key: key("f"), then: entries[0], now: entries[1],
            values: [
                .init(
                    provider: "local", then: entries[0]?.resolution["local"] ?? .absent,
                    now: entries[1]?.resolution["local"] ?? .absent)
            ], alteredRow: alteredRow)
    }

    private static func pastPage(
        _ query: [String: String], _ flags: [PastFlag], isKnown: Bool = true, isAskedFor: Bool = true,
        by role: ChangeAuthor.Role? = nil
    ) -> TimeMachinePage {
        let catalogue = Samples.catalogue(flags.compactMap(\.now))
        let moment = HistoryMoment(lastRow: 0, head: 9, begin: now, anchor: nil, isKnown: isKnown)
        let past = PastState(
            time: now, moment: moment, then: catalogue, now: catalogue, flags: flags, missingProviders: ["Gone"])
        return TimeMachinePage(
            frame: frame(), view: view(catalogue, by: role), filter: PastFilter(query: query, now: now), past: past,
            surroundings: surroundings(isAskedFor: isAskedFor, hasNext: query["before"] != nil),
            refused: refused())
    }
}
