import FlagChanges
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
        let quote = UInt8(ascii: "\"")
        let parts = header.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.trimmed)
        if parts.count == 1, parts[0].elementsEqual("*".utf8) {
            self = .any
            return
        }
        var revisions: [FlagRevision] = []
        for tag in parts {
            let isWeak = tag.starts(with: "W/".utf8)
            let opaque = tag.dropFirst(isWeak ? 2 : 0)
            guard opaque.count >= 2, opaque.first == quote, opaque.last == quote else { return nil }
            let text = opaque.dropFirst().dropLast()
            guard !text.contains(quote) else { return nil }
            revisions.append(FlagRevision(rawValue: String(Substring(isWeak ? tag : text))))
        }
        self = .revisions(revisions)
    }

    /// A part of a header without the spaces and tabs around it (RFC 9110, 5.6.3).
    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var part = part.drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
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
