import Foundation

extension FlagDefinition {
    /// Converts a value to the layout of `current`, or else of `former`; unchanged without a known layout.
    package func laidOut(
        _ value: FlagValue, replacing current: FlagValue? = nil, storedLike former: FlagValue? = nil
    ) throws(FlagValueError) -> FlagValue {
        let found = try interpret(value)
        guard let layout = layout(replacing: current, like: former), !isLaidOut(value, as: layout) else { return value }
        switch (type.rules.form, found) {
        case (.single, .date(let date)): return try stored(date, as: layout)
        case (.document, _): return try stored(FlagJSON.json(value, of: type), as: layout, replacing: current)
        default: return value
        }
    }

    /// The definition's layout, else that of the value stored now, of a former one, or of the default.
    package func layout(replacing current: FlagValue?, like former: FlagValue?) -> FlagStorage? {
        if let storage { return storage }
        // A date's default is always a date, however a manifest writes it.
        let values = [current, former, type.rules.form == .document ? defaultValue : nil]
        return values.lazy.compactMap { $0.flatMap { FlagStorage(of: $0, as: type) } }.first
    }

    /// `true` also for a kind that has no layouts.
    func isLaidOut(_ value: FlagValue, as layout: FlagStorage?) -> Bool {
        guard let layout, let found = FlagStorage(of: value, as: type) else { return true }
        return found == layout
    }

    /// Dates are text of whole seconds, unless the layout is `<date>`.
    func stored(_ date: Date, as layout: FlagStorage?) throws(FlagValueError) -> FlagValue {
        layout == .date ? .date(date) : try date.encoded()
    }

    /// JSON is a dictionary or an array, unless the layout is data.
    ///
    /// Data can also have a lone text, number or Boolean, which is taken where one is stored or the default.
    func stored(
        _ json: JSONValue, as layout: FlagStorage?, replacing current: FlagValue?
    ) throws(FlagValueError) -> FlagValue {
        switch json {
        case .object, .array: break
        case .scalar where layout == .data && (current ?? defaultValue).map(FlagJSON.isScalar) == true: break
        case .null, .scalar, .longInteger, .unsupported:
            if json == .null, let problem = json.storageProblem(at: []) { throw problem }
            throw FlagValueError("found \(json.briefDescription), expected \(expectation)")
        }
        if layout == .data {
            if let current, FlagJSON.document(in: current) == json { return current }
            return .data(Data(json.text(indent: nil).utf8))
        }
        let json = try schema.storable(json)
        if let problem = json.storageProblem(at: []) {
            let way = "set storage to data in the flag's definition"
            throw json.holdsNull ? FlagValueError("\(problem), or \(way)") : problem
        }
        guard let stored = json.stored else { throw FlagValueError("can't store the value in a property list") }
        return stored.keepingKinds(of: current ?? defaultValue)
    }

    /// `true` if two values mean the same, even in different layouts.
    package func meansSame(_ left: FlagValue, _ right: FlagValue) -> Bool {
        guard left != right, type.rules.form == .document else { return left == right }
        switch (left, right) {
        case (.data, _), (_, .data): return FlagJSON.json(left, of: type) == FlagJSON.json(right, of: type)
        default: return false
        }
    }
}
