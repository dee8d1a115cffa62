import FlagChanges
import Foundation

/// What `If-Match` names (RFC 9110, 13.1.1): any state of a flag, or some revisions.
enum EntityTags: Hashable, Sendable {
    case any
    case revisions([FlagRevision])

    /// Reads the header's value, or fails where it is no list of entity tags.
    ///
    /// A weak tag never matches, since the comparison is strong.
    ///
    /// - Parameter header: Such as `"4f2a"`, `"4f2a", "77b0"` or `*`.
    init?(_ header: String) {
        let header = header.trimmingCharacters(in: .whitespaces)
        if header == "*" {
            self = .any
            return
        }
        var revisions: [FlagRevision] = []
        for part in header.split(separator: ",", omittingEmptySubsequences: false) {
            let tag = part.trimmingCharacters(in: .whitespaces)
            let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
            guard opaque.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\"") else { return nil }
            let text = String(opaque.dropFirst().dropLast())
            guard !text.contains("\"") else { return nil }
            revisions.append(FlagRevision(rawValue: tag.hasPrefix("W/") ? tag : text))
        }
        self = .revisions(revisions)
    }

    /// The revisions that a change may be made on; `nil` where any state will do.
    var named: [FlagRevision]? {
        if case .revisions(let named) = self { named } else { nil }
    }
}

extension FlagRevision {
    /// The revision as an entity tag.
    var entityTag: String { "\"\(rawValue)\"" }
}
