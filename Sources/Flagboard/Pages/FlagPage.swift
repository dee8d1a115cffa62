import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// One flag: what it is, what it is set to and why, the editor, and its history.
struct FlagPage: PageModel {
    static let template = "flag"
    /// How many rows of the history stand on the page.
    static let historyLimit = 20

    let frame: PageFrame
    let key: String
    let name: String
    let summary: String?
    let breadcrumbs: [TextLink]
    let state: String
    let stateLabel: String
    let stateSymbol: String
    let marks: [FlagMark]
    let effective: ShownValue
    let source: String
    /// Why that source, as the end of a sentence.
    let why: String
    let readings: [ReadingRow]
    let facts: [FlagFact]
    let tags: [TextLink]
    let savedNotice: String?
    /// Why there is no form, where there is none.
    let refusal: Remark?
    let remarks: [Remark]
    let editor: FlagEditor?
    let history: [HistoryRow]
    let hasHistory: Bool
    let historyText: String
    let historyHref: String

    /// Something to know about the flag before changing it.
    struct Remark: Hashable, Sendable {
        let heading: String
        let advice: String
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - entry: The flag.
    ///   - catalogue: All flags, for the names of groups and the providers.
    ///   - now: The time.
    ///   - provider: The provider to edit; where it is none that can be written, the first that can.
    ///   - form: What was typed before, to show again.
    ///   - history: The newest rows of the flag's history, newest first.
    ///   - historyTotal: How many rows there are.
    ///   - notice: What has just been done.
    init(
        frame: PageFrame, entry: FlagEntry, catalogue: FlagCatalogue, now: Date, provider: String? = nil,
        form: FlagForm? = nil, history: [HistoryRecord] = [], historyTotal: Int = 0, notice: String? = nil
    ) {
        let definition = entry.definition
        let resolution = entry.resolution
        let state = StateLabel(entry.state)
        let abouts = Dictionary(
            catalogue.providers.map { ($0.name, $0.description) }, uniquingKeysWith: { first, _ in first })
        self.frame = frame.titled(definition.displayName, in: .flags)
        key = entry.key.text
        name = definition.displayName
        summary = definition.metadata.description.isEmpty ? nil : definition.metadata.description
        breadcrumbs = entry.key.ancestors.map {
            TextLink(
                label: catalogue.collections[$0]?.displayName ?? $0.readableName, href: FlagFilter(group: $0).href)
        }
        self.state = state.name
        stateLabel = state.label
        stateSymbol = state.symbol
        marks = FlagMark.marks(of: entry)
        effective = ShownValue(whole: resolution.effectiveValue)
        source = resolution.source.words
        why = Self.why(resolution)
        readings =
            resolution.readings.map {
                ReadingRow($0, about: abouts[$0.provider], source: resolution.source)
            } + [ReadingRow(defaultValue: definition.defaultValue, source: resolution.source)]
        facts = FlagFact.facts(of: entry, now: now)
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
        savedNotice = notice
        let writable = catalogue.providers.filter(\.isWritable).map(\.name)
        refusal = Self.refusal(entry, frame, writable)
        remarks = Self.remarks(entry)
        editor =
            refusal == nil
            ? Self.chosen(form?.provider ?? provider, among: writable)
                .map { FlagEditor(entry: entry, provider: $0, writable: writable, form: form) } : nil
        self.history = history.prefix(Self.historyLimit).map(HistoryRow.init)
        hasHistory = !history.isEmpty
        historyText = Self.historyText(self.history.count, of: historyTotal)
        historyHref = PageLink.history(of: entry.key)
    }

    private static func chosen(_ wanted: String?, among writable: [String]) -> String? {
        writable.first { $0 == wanted } ?? writable.first
    }

    private static func why(_ resolution: FlagResolution) -> String {
        let passedOver = resolution.isBroken ? " A broken value is passed over." : ""
        switch resolution.source {
        case .provider: return "the first provider that holds a valid value.\(passedOver)"
        case .computed: return "the code that declares the flag computes it.\(passedOver)"
        case .defaultValue: return "since no provider holds a valid value.\(passedOver)"
        case .none: return "since no provider holds a valid value and there is no default.\(passedOver)"
        }
    }

    private static func refusal(_ entry: FlagEntry, _ frame: PageFrame, _ writable: [String]) -> Remark? {
        if entry.definition.metadata.isLocked {
            return Remark(
                heading: "This flag is locked",
                advice: "Its definition in the manifest sets the lock, so nobody changes its value here. "
                    + "Whoever keeps the manifest can lift it by removing isLocked there.")
        }
        if let reason = frame.readOnlyReason {
            return Remark(heading: "Nothing can be changed now", advice: reason)
        }
        guard writable.isEmpty else { return nil }
        return Remark(
            heading: "No provider can be written",
            advice: "Every provider is read-only. Start Flagboard with a writable one to change values.")
    }

    private static func remarks(_ entry: FlagEntry) -> [Remark] {
        var remarks: [Remark] = []
        if !entry.isDefined {
            remarks.append(
                Remark(
                    heading: "This flag is not defined",
                    advice: "It was found as a value, and its type was inferred from it. "
                        + "A definition in the manifest adds a name, a description and a default."))
        }
        if entry.definition.metadata.requiresRestart {
            remarks.append(
                Remark(heading: "Requires restart", advice: "A change takes effect when the app restarts."))
        }
        return remarks
    }

    private static func historyText(_ shown: Int, of total: Int) -> String {
        let total = max(shown, total)
        if total > shown { return "The latest \(shown) of \(total) changes" }
        return total == 1 ? "1 change" : "\(total) changes"
    }
}
