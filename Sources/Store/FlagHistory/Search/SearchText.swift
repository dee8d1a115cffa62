import FeatureFlags
import Foundation

/// Text in the form in which the history is searched: without case, and composed, so that two spellings of one
/// character are found by either.
enum SearchText {
    /// Folds case as Unicode's full case folding does (`ß` is found by `SS`): upper case first, then lower.
    static func folded(_ text: String) -> String {
        let folded = StoredEvent.storable(text).uppercased().lowercased()
        return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : folded.precomposedStringWithCanonicalMapping
    }

    /// A value as the pages show it: text as it is, numbers and dates in their text form, the rest as JSON.
    static func folded(_ value: FlagValue) -> String {
        switch value {
        case .string(let text): folded(text)
        case .bool(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .double(let number): folded(FlagNumber.text(number))
        case .date(let date): folded(FlagDate.text(date))
        case .data, .array, .dictionary: folded(FlagJSON.text(value))
        case .broken(let value): folded(value.text)
        }
    }
}
