/// A page or a part of one, with stored, display-ready properties for templates.
///
/// The build plugin `GeneratePages` lists them. Templates are bound to that list at start, so that rendering needs
/// neither reflection nor lookups by name.
protocol PagePart: PageContent {
    static var fields: PageFields<Self> { get }
    /// Returns the content of a property.
    ///
    /// Implemented by each type: a shared extension would look the list up dynamically at each tag.
    func content(at place: Int) -> ShownContent
}

extension PagePart {
    static var kind: PageContentKind { .part(Self.self) }

    var shown: ShownContent { .part(self) }

    /// Returns the index of a property in ``fields``, if there is one.
    static func place(of name: String) -> Int? { fields.names.firstIndex(of: name) }

    static func kind(at place: Int) -> PageContentKind { fields.kinds[place] }

    func content(at place: Int) -> ShownContent { Self.fields.readers[place](self) }
}

/// The properties of a page part: `["name": .of(\.name)]`.
struct PageFields<Part: PagePart>: ExpressibleByDictionaryLiteral, Sendable {
    struct Field: Sendable {
        fileprivate let kind: PageContentKind
        fileprivate let read: @Sendable (Part) -> ShownContent

        static func of<Value: PageContent>(_ read: @escaping @Sendable (Part) -> Value) -> Field {
            Field(kind: Value.kind, read: { read($0).shown })
        }
    }

    let names: [String]
    fileprivate let kinds: [PageContentKind]
    fileprivate let readers: [@Sendable (Part) -> ShownContent]

    init(dictionaryLiteral fields: (String, Field)...) {
        names = fields.map(\.0)
        kinds = fields.map(\.1.kind)
        readers = fields.map(\.1.read)
    }
}

protocol PageModel: PagePart {
    /// The template's file name, without `.mustache`.
    static var template: String { get }
}

/// A type of a page's properties.
protocol PageContent: Sendable {
    static var kind: PageContentKind { get }
    var shown: ShownContent { get }
}

/// A type from a template's view.
indirect enum PageContentKind: Sendable {
    case text, flag
    case part(any PagePart.Type)
    case optional(PageContentKind)
    case list(PageContentKind)
}

/// A value from a template's view.
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
