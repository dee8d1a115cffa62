import FeatureFlags

/// A provider's answer, or the default.
struct ReadingRow: Hashable, PagePart {
    let source: String
    let about: String?
    /// For the style sheet: `value`, `absent` or `broken`.
    let answer: String
    let shown: ShownValue?
    /// Set if its kind differs.
    let stored: ShownValue?
    let problem: String?
    let verdict: String
    let isWinner: Bool

    /// An unreadable file is announced by a banner.
    init(
        _ reading: FlagResolution.Reading, about: String?, source: FlagResolution.Source, isReadable: Bool = true,
        isRead: Bool = true
    ) {
        let isWinner = reading.isAsked && source == .provider(reading.provider)
        self.source = reading.provider
        self.about = about
        self.isWinner = isWinner
        switch reading.answer {
        case .absent:
            answer = "absent"
            shown = nil
            stored = nil
            problem = nil
            verdict = isRead ? "Not set" : "Not read by the app"
        case .value(let value, let found):
            answer = "value"
            shown = ShownValue(value)
            stored = value.kind == found.kind || Self.isUsual(found, for: value) ? nil : ShownValue(found)
            problem = nil
            verdict =
                switch (isWinner, reading.isAsked) {
                case (true, _): "In use"
                case (false, true) where source == .computed: "Used only if the app computes no value"
                case (false, true): "Overridden"
                case (false, false): "Not used here"
                }
        case .broken(let found, let content):
            answer = "broken"
            shown = (content ?? reading.lastGood).map { ShownValue($0) }
            stored = nil
            problem = isReadable ? found.sentence(of: content) : nil
            let fault =
                switch (isReadable, found.isUnchecked) {
                case (false, _): "Unavailable"
                case (true, true): "Not checked"
                case (true, false): "Invalid"
                }
            verdict = fault + Self.consequence(reading, isWinner: isWinner, holdsOther: content != nil)
        }
    }

    /// A provider of a connected app.
    init(_ reading: FlagResolution.Reading, about: String?, isRead: Bool, isEffectiveInApp isWinner: Bool) {
        let row = ReadingRow(reading, about: about, source: .none, isRead: isRead)
        (source, self.about, answer, shown) = (row.source, row.about, row.answer, row.shown)
        (stored, problem, self.isWinner) = (row.stored, row.problem, isWinner)
        verdict =
            switch reading.answer {
            case .value: isWinner ? "In use" : "Overridden"
            case .absent, .broken: row.verdict
            }
    }

    private static func consequence(_ reading: FlagResolution.Reading, isWinner: Bool, holdsOther: Bool) -> String {
        guard let last = reading.lastGood else { return reading.isAsked ? ", ignored" : "" }
        let value = holdsOther ? "; last good value \(ShownValue(last).inSentence)" : "; last good value"
        return switch (isWinner, reading.isAsked) {
        case (true, _): "\(value) in use"
        case (false, true): "\(value) overridden"
        case (false, false): "\(value) not used here"
        }
    }

    init(defaultOf definition: FlagDefinition, source: FlagResolution.Source) {
        let defaultValue = definition.defaultValue
        self.source = "default"
        about = "From the manifest"
        answer = defaultValue == nil ? "absent" : "value"
        shown = defaultValue.map { ShownValue($0) }
        stored = nil
        problem = nil
        isWinner = source == .defaultValue
        verdict =
            switch (defaultValue, isWinner) {
            case (nil, true): "In use: computed by the app"
            case (nil, false): definition.computed == .default ? "Computed by the app" : "No default"
            case (_, true): "In use"
            case (_, false):
                source == .computed ? "Used if nothing else has a value" : "Overridden"
            }
    }

    /// RealFlags stores dates as text and whole reals as integers.
    private static func isUsual(_ stored: FlagValue, for value: FlagValue) -> Bool {
        switch (value, stored) {
        case (.date, .string), (.double, .integer): true
        default: false
        }
    }
}
