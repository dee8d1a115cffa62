import FeatureFlags
import Foundation

package enum SwiftText {
    /// Escapes invisible and special characters.
    package static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isUnseen(scalar) {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isUnseen($0) ? " " : $0 }))
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    package static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

    /// Returns a dictionary literal, sorted by key.
    static func dictionary(_ entries: [String: FlagValue], _ text: (FlagValue) -> String) -> String {
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return entries.isEmpty ? "[:]" : list(sorted.map { "\(literal($0.key)): \(text($0.value))" })
    }

    /// Returns an expression for exactly this number.
    package static func number(_ number: Double) -> String {
        if number.isNaN { return ".nan" }
        if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
        return "\(number)"
    }

    package static func date(_ date: Date) -> String {
        "Date(timeIntervalSince1970: \(number(date.timeIntervalSince1970)))"
    }

    static func data(_ data: Data) -> String { "Data(base64Encoded: \(literal(data.base64EncodedString())))!" }

    static func documentation(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { "/// \(comment(String($0)))" }
    }

    static func metadata(_ metadata: FlagMetadata) -> String {
        let fields: [String?] = [
            metadata.name.map { "name: \(literal($0))" },
            "description: \(literal(metadata.description))",
            metadata.order.map { "order: \($0)" },
            metadata.isInternal ? "isInternal: true" : nil,
            metadata.uiIcon.map { "uiIcon: \(literal($0))" },
            metadata.isLocked ? "isLocked: true" : nil,
            metadata.requiresRestart ? "requiresRestart: true" : nil,
            metadata.tags.isEmpty ? nil : "tags: \(list(metadata.tags.map(literal)))",
            metadata.owner.map { "owner: \(literal($0))" },
            metadata.expires.map { "expires: \(date($0))" },
            metadata.isPersistable ? nil : "isPersistable: false",
            metadata.userInfo.isEmpty ? nil : "userInfo: \(dictionary(metadata.userInfo, value))",
            metadata.retired.map { "retired: \(literal($0))" },
        ]
        return "FlagMetadata(\n        \(fields.compactMap(\.self).joined(separator: ",\n        ")))"
    }

    static func limit(_ limit: FlagLimit) -> String {
        if case .integer(let whole) = limit.value { "\(whole)" } else { "FlagLimit(\(number(limit.double)))" }
    }

    static func value(_ value: FlagValue) -> String {
        switch value {
        case .bool(let bool): ".bool(\(bool))"
        case .integer(let whole): ".integer(\(whole))"
        case .double(let double): ".double(\(number(double)))"
        case .string(let text): ".string(\(literal(text)))"
        case .date(let moment): ".date(\(date(moment)))"
        case .data(let bytes): ".data(\(data(bytes)))"
        case .array(let elements): ".array(\(list(elements.map(self.value))))"
        case .dictionary(let entries): ".dictionary(\(dictionary(entries, self.value)))"
        case .broken(let broken):
            ".broken(BrokenFlagValue(kind: .\(broken.kind), text: \(literal(broken.text))))"
        }
    }
}
