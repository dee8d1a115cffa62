import Foundation

extension FlagSchema {
    func interpret(_ stored: FlagValue, _ effort: PatternVerdicts.Effort) throws(FlagValueError) -> FlagValue {
        if case .choice? = type, stored.brokenPart == nil { return try choice(for: stored) }
        guard let value = converted(stored) else { throw stored.mismatch(wanted: expectation) }
        try check(value, effort)
        return value
    }

    /// Converts a value to the type without checking constraints; `nil` if that is impossible.
    package func converted(_ stored: FlagValue) -> FlagValue? {
        guard stored.brokenPart == nil else { return nil }
        if case .choice? = type { return constraints.choice(for: stored) ?? stored }
        return type.map { $0.rules.read(stored) } ?? stored
    }

    func check(_ value: FlagValue, _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        guard let type else { return }
        let rules = type.rules
        try rules.check(value)
        switch (type, value) {
        case _ where rules.form == .choice: _ = try choice(for: value)
        case (_, .integer), (_, .double), (_, .string): try checkLimits(of: value, rules, effort)
        case (.array, .array(let values)):
            try checkItems(values.enumerated().map { (String($0), $1) }) { items, value throws(FlagValueError) in
                _ = try items.interpret(value, effort)
            }
        case (.dictionary, .dictionary(let entries)):
            try checkItems(entries.sorted { $0.key < $1.key }) { items, value throws(FlagValueError) in
                _ = try items.interpret(value, effort)
            }
        case _ where rules.form == .document && constraints.limitsParts:
            try check(json: FlagJSON.json(value, of: type), effort)
        default: break
        }
    }

    private func choice(for stored: FlagValue) throws(FlagValueError) -> FlagValue {
        guard let choice = constraints.choice(for: stored) else { throw noChoice(stored.briefDescription) }
        return choice
    }

    func noChoice(_ found: String) -> FlagValueError {
        FlagValueError("must be one of: \(constraints.choiceList)", of: found)
    }

    private func checkLimits(
        of value: FlagValue, _ rules: FlagTypeRules, _ effort: PatternVerdicts.Effort
    ) throws(FlagValueError) {
        switch value {
        case .integer(let number) where rules.hasBounds: try checkRange(of: number)
        case .double(let number) where rules.hasBounds: try checkRange(of: number)
        case .string(let text) where rules.hasPattern: try checkPattern(text, effort)
        default: break
        }
    }

    /// Checks a part of a JSON document, which a decoder reads without converting texts to numbers.
    private func check(json: JSONValue, _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        guard let type, !(json == .null && isOptional) else { return }
        switch (type, json) {
        case (.json, .object(let members)):
            try check(members: members, effort)
        case (.dictionary, .object(let members)):
            try checkItems(members, effort)
        case (.json, .array(let elements)) where constraints.properties.isEmpty, (.array, .array(let elements)):
            try checkItems(elements.enumerated().map { (String($0), $1) }) { items, part throws(FlagValueError) in
                try items.check(json: part, effort)
            }
        case (.choice, .scalar), (.choice, .longInteger):
            guard constraints.choice(inJSON: json) != nil else { throw noChoice(json.briefDescription) }
        case (.double, .longInteger(let digits)): try checkRange(of: Double(digits) ?? .infinity)
        case (.url, .scalar(.string(let text))):
            // A decoder encodes characters that a URL can't have.
            guard URL(string: text) != nil else { throw json.mismatch(wanted: expectation) }
        case (_, .scalar(let scalar)):
            let rules = type.rules
            guard rules.form == .single, let value = rules.readJSON(scalar) else {
                throw json.mismatch(wanted: expectation)
            }
            try checkLimits(of: value, rules, effort)
            try checkUnderflow(of: value)
        default: throw json.mismatch(wanted: expectation)
        }
    }

    private func check(members: [String: JSONValue], _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        try checkItems(members, effort)
        for (name, schema) in constraints.properties.sorted(by: { $0.key < $1.key }) {
            guard let member = members[name] else {
                if schema.isOptional { continue }
                let wanted = schema.type == nil ? "" : "; expected \(schema.expectation)"
                throw FlagValueError("the member \(name.quotedOrCounted) is missing\(wanted)")
            }
            try FlagValueError.locating(name) { () throws(FlagValueError) in try schema.check(json: member, effort) }
        }
    }

    private func checkItems(
        _ members: [String: JSONValue], _ effort: PatternVerdicts.Effort
    ) throws(FlagValueError) {
        try checkItems(members.sorted { $0.key < $1.key }) { items, part throws(FlagValueError) in
            try items.check(json: part, effort)
        }
    }

    private func checkItems<Part>(
        _ parts: [(key: String, value: Part)], _ check: (FlagSchema, Part) throws(FlagValueError) -> Void
    ) throws(FlagValueError) {
        guard let items = constraints.items else { return }
        for (name, part) in parts {
            try FlagValueError.locating(name) { () throws(FlagValueError) in try check(items, part) }
        }
    }

    private func checkRange(of number: Double) throws(FlagValueError) {
        if number.isNaN, constraints.minimum != nil || constraints.maximum != nil {
            throw FlagValueError("nan is not \(expectation)")
        }
        if let minimum = constraints.minimum, number < minimum.double {
            throw tooSmall(FlagNumber.text(number), minimum)
        }
        if let maximum = constraints.maximum, number > maximum.double {
            throw tooLarge(FlagNumber.text(number), maximum)
        }
        if constraints.format == .float, number.isFinite, !Float(number).isFinite {
            throw FlagValueError(
                "\(FlagNumber.text(number)) is too large: \(expectation) can be at most \(Self.largestFloat)")
        }
    }

    /// Checks a number of a JSON document, where a decoder refuses one that a `Float` can't tell from 0.
    private func checkUnderflow(of value: FlagValue) throws(FlagValueError) {
        guard constraints.format == .float, case .double(let number) = value, number != 0, Float(number) == 0 else {
            return
        }
        throw FlagValueError("\(FlagNumber.text(number)) is too small for \(expectation); write 0")
    }

    private static let largestFloat = FlagNumber.text(Double(Float.greatestFiniteMagnitude))

    private func checkRange(of number: Int128) throws(FlagValueError) {
        if let least = constraints.least, least.isNaN || FlagLimit(number) < least {
            throw tooSmall(String(number), least)
        }
        if let greatest = constraints.greatest, greatest.isNaN || FlagLimit(number) > greatest {
            throw tooLarge(String(number), greatest)
        }
    }

    private func tooSmall(_ number: String, _ minimum: FlagLimit) -> FlagValueError {
        FlagValueError("must be \(minimum.text) or more", of: number)
    }

    private func tooLarge(_ number: String, _ maximum: FlagLimit) -> FlagValueError {
        FlagValueError("must be \(maximum.text) or less", of: number)
    }

    private func checkPattern(_ text: String, _ effort: PatternVerdicts.Effort) throws(FlagValueError) {
        guard let pattern = constraints.pattern else { return }
        switch PatternVerdicts.shared.verdict(on: text, pattern: pattern, effort: effort) {
        case .matches: break
        case .differs: throw FlagValueError("must match the pattern \(pattern)", of: text.quotedOrCounted)
        case .undecided:
            throw FlagValueError(
                "can't check \(text.quotedOrCounted) because the pattern \(pattern) is too slow; simplify the pattern "
                    + "in the manifest",
                isUnchecked: true)
        case nil:
            throw FlagValueError(
                "the pattern \(pattern) is not a valid regular expression; fix it in the manifest")
        }
    }
}

extension FlagValueError {
    /// Runs a function on a part, and adds the part's place to an error.
    static func locating<Result>(
        _ component: String, _ body: () throws(FlagValueError) -> Result
    ) throws(FlagValueError) -> Result {
        do throws(FlagValueError) {
            return try body()
        } catch {
            throw error.located(at: component)
        }
    }

    private func located(at component: String) -> FlagValueError {
        let place = FlagKeyPath(components: [component] + (path ?? []))
        return FlagValueError(problem, of: found, isUnchecked: isUnchecked, path: place.components)
    }
}

extension JSONValue {
    func mismatch(wanted expectation: String) -> FlagValueError {
        FlagValueError("found \(briefDescription), expected \(expectation)")
    }
}

extension FlagConstraints {
    /// Returns a regular expression that matches a whole text; `nil` for an invalid pattern.
    package static func expression(_ pattern: String) -> NSRegularExpression? {
        // Checked alone first: `a)|(b` is valid only between the parentheses.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        return try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }
}
