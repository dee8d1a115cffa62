/// What a property of a page can hold.
protocol PageContent: Sendable {
    /// What every value of this type is to a template.
    static var kind: PageContentKind { get }
    /// What this value is to a template.
    var shown: ShownContent { get }
}

/// What a type is to a template.
indirect enum PageContentKind: Sendable {
    case text, flag
    case part(any PagePart.Type)
    case optional(PageContentKind)
    case list(PageContentKind)
}

/// What a value is to a template.
enum ShownContent: Sendable {
    case absent
    case text(String)
    case flag(Bool)
    case part(any PagePart)
    case list([ShownContent])
}

extension String: PageContent {
    static var kind: PageContentKind { .text }
    var shown: ShownContent { .text(self) }
}

extension Int: PageContent {
    static var kind: PageContentKind { .text }
    var shown: ShownContent { .text(String(self)) }
}

extension Int64: PageContent {
    static var kind: PageContentKind { .text }
    var shown: ShownContent { .text(String(self)) }
}

extension Bool: PageContent {
    static var kind: PageContentKind { .flag }
    var shown: ShownContent { .flag(self) }
}

extension Optional: PageContent where Wrapped: PageContent {
    static var kind: PageContentKind { .optional(Wrapped.kind) }
    var shown: ShownContent { self?.shown ?? .absent }
}

extension Array: PageContent where Element: PageContent {
    static var kind: PageContentKind { .list(Element.kind) }
    var shown: ShownContent { .list(map(\.shown)) }
}
