import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

/// What `If-Match` or `If-None-Match` names (RFC 9110, 13.1): any state of a flag, or some revisions.
enum EntityTags: Hashable, Sendable {
    case any
    case revisions([FlagRevision])

    /// Reads the header's value, or fails where it is no list of entity tags.
    ///
    /// A weak tag keeps its mark: of the two headers, `If-None-Match` alone takes it for what it stands for.
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

    /// What the sender of a request has already, by its `If-None-Match`; `nil` where that says nothing, or can't be read.
    init?(knownBy request: Request) {
        let headers = request.headers[values: .ifNoneMatch]
        guard !headers.isEmpty else { return nil }
        self.init(headers.joined(separator: ","))
    }

    /// Whether a revision is among those named, by the weak comparison.
    func includes(_ revision: FlagRevision) -> Bool {
        switch self {
        case .any: true
        case .revisions(let named):
            named.contains { [revision.rawValue, revision.weakEntityTag].contains($0.rawValue) }
        }
    }

    /// The revisions that a change may be made on; `nil` where any state will do.
    var named: [FlagRevision]? {
        if case .revisions(let named) = self { named } else { nil }
    }
}

extension FlagRevision {
    /// The revision as an entity tag.
    var entityTag: String { "\"\(rawValue)\"" }

    /// The revision as the tag of what may be sent in several forms, compressed or not.
    var weakEntityTag: String { "W/\(entityTag)" }
}
