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
    init?(_ header: String) {
        var rest = Self.trimmed(header.utf8[...])
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var revisions: [FlagRevision] = []
        repeat {
            if !revisions.isEmpty {
                guard rest.first == UInt8(ascii: ",") else { return nil }
                rest = Self.trimmed(rest.dropFirst())
            }
            let isWeak = rest.starts(with: "W/".utf8)
            guard let tag = Self.quoted(rest.dropFirst(isWeak ? 2 : 0)) else { return nil }
            revisions.append(
                FlagRevision(rawValue: String(Substring(isWeak ? rest[..<tag.rest.startIndex] : tag.text))))
            rest = Self.trimmed(tag.rest)
        } while !rest.isEmpty
        self = .revisions(revisions)
    }

    /// What stands between quotation marks at the start of a part, a comma too, and what follows the second one.
    private static func quoted(
        _ part: Substring.UTF8View
    ) -> (text: Substring.UTF8View, rest: Substring.UTF8View)? {
        let quote = UInt8(ascii: "\"")
        guard part.first == quote, let end = part.dropFirst().firstIndex(of: quote) else { return nil }
        return (part.dropFirst()[..<end], part[part.index(after: end)...])
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
