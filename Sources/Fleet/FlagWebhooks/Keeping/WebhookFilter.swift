import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

/// A condition on one field of a row, such as `key=checkout/*` or `kind=set,reset`.
///
/// Filters of one field are alternatives; those of different fields must all hold.
package struct WebhookFilter: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case key
        /// As the current manifest has it.
        case tag
        case kind
        case provider
    }

    package let field: Field
    /// Alternatives; in a key, `*` matches any characters.
    package let wanted: [String]

    /// The accepted forms, for hints and refusals.
    package static let forms = "key=checkout/*, tag=T, kind=set,reset or provider=P"

    /// In Unicode scalars.
    private static let longest = 500

    package init(_ text: String) throws(PlainError) {
        guard text.unicodeScalars.count <= Self.longest else {
            throw PlainError("it has more than \(Self.longest) characters")
        }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let field = Field(rawValue: String(parts[0])) else {
            throw PlainError("use \(Self.forms)")
        }
        let wanted = parts[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
        guard !wanted.isEmpty else { throw PlainError("the value after \(parts[0])= is missing") }
        if field == .kind {
            let kinds = HistoryRecord.Kind.allCases.filter(\.changesFlags).map(\.rawValue)
            if let unknown = wanted.first(where: { !kinds.contains($0) }) {
                throw PlainError("\(unknown) is not a kind of change; use \(kinds.joined(separator: ", "))")
            }
        }
        self.field = field
        self.wanted = wanted
    }

    package var text: String { "\(field.rawValue)=\(wanted.joined(separator: ","))" }

    /// `declared` is the row's provider as the app's code calls it, if that differs.
    func admits(_ event: HistoryEvent, tags: [String], declared: String? = nil) -> Bool {
        switch field {
        case .key: wanted.contains { Self.matches(Substring(event.key.text), Substring($0)) }
        case .tag: wanted.contains { tags.contains($0) }
        case .kind: wanted.contains(event.kind.rawValue)
        case .provider: [event.provider, declared].compactMap(\.self).contains(where: wanted.contains)
        }
    }

    /// Returns whether a text matches a pattern, where `*` matches any characters.
    private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return text == pattern }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

extension [WebhookFilter] {
    /// Returns `true` if some filter of each field admits the row.
    func admit(_ event: HistoryEvent, tags: [String], declared: String? = nil) -> Bool {
        Dictionary(grouping: self, by: \.field).values.allSatisfy { filters in
            filters.contains { $0.admits(event, tags: tags, declared: declared) }
        }
    }
}

extension WebhookFilter: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        do throws(PlainError) {
            self = try WebhookFilter(text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: value,
                debugDescription:
                    "\"\(text)\" is not a valid filter: \(error)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}
