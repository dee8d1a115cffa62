import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

/// A team's severities of lint rules; others keep their default.
///
/// A file of rules is JSON or a property list: `{"missing-owner": "error", "undefined-value": "off"}`.
package struct LintRules: Hashable, Sendable {
    private static let off = "off"
    /// The limit in bytes.
    private static let maximumSize = 1024 * 1024

    private var changed: [LintRule: LintSeverity?] = [:]

    package init() {}

    package init(contentsOf url: URL) throws(PlainError) {
        let data: Data
        do {
            guard let reading = try FileReading.read(url, maximumSize: Self.maximumSize) else {
                throw PlainError("the file doesn't exist; check the path")
            }
            data = reading.data
        } catch let error as FileAccessError {
            throw PlainError(error.clause)
        } catch let error as PlainError {
            throw error
        } catch {
            throw PlainError("\(error)")
        }
        try self.init(source: data)
    }

    /// Parses rules from JSON or an XML property list.
    package init(source: Data) throws(PlainError) {
        guard case .dictionary(let entries) = try Self.root(source) else {
            throw PlainError("expected a dictionary like {\"missing-owner\": \"error\"}")
        }
        for (code, value) in entries.sorted(by: { $0.key < $1.key }) {
            let rule = try Self.rule(code)
            changed[rule] = .some(try Self.severity(value, of: rule))
        }
    }

    /// Returns a rule's severity; `nil` if off.
    package func severity(of rule: LintRule) -> LintSeverity? {
        if let severity = changed[rule] { severity } else { rule.usualSeverity }
    }

    private static func root(_ source: Data) throws(PlainError) -> FlagValue {
        let first = source.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        do {
            if first == UInt8(ascii: "<") || source.starts(with: [0xEF, 0xBB, 0xBF]) {
                return try PropertyListDocument(source: source, maximumSize: maximumSize).root
            }
            guard let text = String(validating: source, as: UTF8.self) else {
                throw PlainError("expected JSON or an XML property list in UTF-8")
            }
            return try FlagJSON.value(text)
        } catch {
            throw PlainError("\(error)")
        }
    }

    private static func rule(_ code: String) throws(PlainError) -> LintRule {
        if let rule = LintRule(rawValue: code) { return rule }
        let codes = LintRule.allCases.map(\.rawValue)
        let advice =
            LikelyName(code).nearest(in: Set(codes)).map { "did you mean \($0)?" }
            ?? "available rules: \(codes.joined(separator: ", "))"
        throw PlainError("\(code.quotedOrCounted) is not a rule; \(advice)")
    }

    private static func severity(_ value: FlagValue, of rule: LintRule) throws(PlainError) -> LintSeverity? {
        guard case .string(let text) = value, text == Self.off || LintSeverity(rawValue: text) != nil else {
            throw PlainError("\(rule.rawValue): found \(value.briefDescription), expected error, warning or off")
        }
        let severity = LintSeverity(rawValue: text)
        guard !rule.isFixed || severity == rule.usualSeverity else {
            throw PlainError(
                "\(rule.rawValue) is always an error; remove it")
        }
        return severity
    }
}
