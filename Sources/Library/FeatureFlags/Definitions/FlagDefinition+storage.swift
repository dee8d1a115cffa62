import Foundation

extension FlagDefinition {
    /// A value that is stored as it is, in the layout that the flag's values have where it is stored.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - current: The value stored now.
    ///   - former: A value whose layout counts where none is stored: the one that was stored last.
    /// - Returns: The value in that layout; where nothing says one, as it is.
    /// - Throws: Why the layout can't hold it, or that it is none of the flag's type.
    package func laidOut(
        _ value: FlagValue, replacing current: FlagValue? = nil, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue {
        let found = try interpret(value)
        guard let layout = layout(replacing: current, like: former), !isLaidOut(value, as: layout) else { return value }
        switch (type, found) {
        case (.date, .date(let date)): return try stored(date, as: layout)
        case (.json, _): return try stored(FlagJSON.json(value, of: type), as: layout, replacing: current)
        default: return value
        }
    }

    /// The layout of a value that is to be stored: what the definition says, else that of the value stored now, of one that
    /// was stored before, or of the default; `nil` where none of them says any.
    ///
    /// - Parameters:
    ///   - current: The value stored now.
    ///   - former: One that was stored before, or is elsewhere.
    /// - Returns: The layout.
    package func layout(replacing current: FlagValue?, like former: FlagValue?) -> FlagStorage? {
        if let storage { return storage }
        // A date's default is kept as a date, however a manifest writes it.
        let values = [current, former, type == .json ? defaultValue : nil]
        return values.lazy.compactMap { $0.flatMap { FlagStorage(of: $0, as: type) } }.first
    }

    /// Whether a value is in a layout, or of a kind that has none.
    func isLaidOut(_ value: FlagValue, as layout: FlagStorage?) -> Bool {
        guard let layout, let found = FlagStorage(of: value, as: type) else { return true }
        return found == layout
    }

    /// A date in a layout: text of whole seconds, unless it is to be a `<date>`.
    func stored(_ date: Date, as layout: FlagStorage?) throws(FlagValueError) -> FlagValue {
        layout == .date ? .date(date) : try date.encoded()
    }

    /// JSON in a layout: a dictionary or an array, unless it is to be data.
    func stored(
        _ json: JSONValue, as layout: FlagStorage?, replacing current: FlagValue?
    ) throws(FlagValueError) -> FlagValue {
        switch json {
        case .object, .array: break
        case .null, .scalar, .longInteger, .unsupported:
            if json == .null, let problem = json.storageProblem(at: []) { throw problem }
            throw FlagValueError("found \(json.briefDescription), wanted \(expectation)")
        }
        if layout == .data {
            if let current, FlagJSON.document(in: current) == json { return current }
            return .data(Data(json.text(indent: nil).utf8))
        }
        if let problem = json.storageProblem(at: []) {
            let way = "say in the flag's definition that it is stored as data (storage)"
            throw json.holdsNull ? FlagValueError("\(problem), or \(way)") : problem
        }
        guard let stored = json.stored else { throw FlagValueError("a property list can't store the value") }
        return stored.keepingKinds(of: current ?? defaultValue)
    }

    /// Whether two values of the flag mean the same, also where their layouts differ.
    package func meansSame(_ left: FlagValue, _ right: FlagValue) -> Bool {
        guard left != right, type == .json else { return left == right }
        switch (left, right) {
        case (.data, _), (_, .data): return FlagJSON.json(left, of: type) == FlagJSON.json(right, of: type)
        default: return false
        }
    }
}

/// The layout in which a flag's values are stored, for the types that have more than one.
///
/// ```swift
/// print(FlagStorage.layouts(of: .date))  // as text, or as a date of the property list
/// ```
///
/// All layouts are read. One that ``FlagDefinition/storage`` names is that of every value that is stored.
public enum FlagStorage: String, CaseIterable, Hashable, Sendable {
    /// Of `json`: a dictionary or an array, whose parts are values of the property list. It holds no `null`.
    case dictionary
    /// Of `json`: data that holds JSON text, as RealFlags stores a Codable value. It holds `null` too.
    case data
    /// Of `date`: text such as `2026-01-31T12:00:00Z`, as RealFlags stores a date.
    case string
    /// Of `date`: the property list's own `<date>`.
    case date

    /// The layouts that a type has: the usual one first, none where there is only one.
    ///
    /// - Parameter type: The type.
    /// - Returns: The layouts.
    public static func layouts(of type: FlagType) -> [FlagStorage] {
        switch type {
        case .json: [.dictionary, .data]
        case .date: [.string, .date]
        case .bool, .integer, .double, .string, .data, .url, .choice, .array, .dictionary: []
        }
    }

    /// The layout of a value; `nil` where the type has only one, or the value is none of the type.
    package init?(of value: FlagValue, as type: FlagType) {
        switch (type, value) {
        case (.json, .dictionary), (.json, .array): self = .dictionary
        case (.json, .data): self = .data
        case (.date, .string): self = .string
        case (.date, .date): self = .date
        default: return nil
        }
    }
}
