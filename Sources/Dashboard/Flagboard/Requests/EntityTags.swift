import FlagChanges
import HTTPTypes
import Hummingbird

/// The entity tags of `If-Match` or `If-None-Match` (RFC 9110, 13.1).
enum EntityTags: Hashable, Sendable {
    case any
    case revisions([FlagRevision])

    /// `nil` if the header is no list of entity tags.
    ///
    /// A weak tag keeps its `W/`: only `If-None-Match` compares weakly.
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

    private static func quoted(
        _ part: Substring.UTF8View
    ) -> (text: Substring.UTF8View, rest: Substring.UTF8View)? {
        let quote = UInt8(ascii: "\"")
        guard part.first == quote, let end = part.dropFirst().firstIndex(of: quote) else { return nil }
        return (part.dropFirst()[..<end], part[part.index(after: end)...])
    }

    /// Trims spaces and tabs (RFC 9110, 5.6.3).
    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var part = part.drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        return part
    }

    /// Reads a request's `If-None-Match`; `nil` if missing or malformed.
    init?(knownBy request: Request) {
        let headers = request.headers[values: .ifNoneMatch]
        guard !headers.isEmpty else { return nil }
        self.init(headers.joined(separator: ","))
    }

    /// Returns whether a revision is named, by weak comparison.
    func includes(_ revision: FlagRevision) -> Bool {
        switch self {
        case .any: true
        case .revisions(let named):
            named.contains { [revision.rawValue, revision.weakEntityTag].contains($0.rawValue) }
        }
    }

    /// `nil` for any.
    var named: [FlagRevision]? {
        if case .revisions(let named) = self { named } else { nil }
    }
}

extension FlagRevision {
    var entityTag: String { "\"\(rawValue)\"" }

    /// The weak entity tag, for content that may be compressed or not.
    var weakEntityTag: String { "W/\(entityTag)" }
}
