/// A page, or a part of one: stored, display-ready properties that templates name.
///
/// The build plugin `GeneratePages` lists the properties of each type that conforms. Templates are bound to that list when the server
/// starts, so that rendering neither reflects nor looks names up.
protocol PagePart: PageContent {
    /// All of its stored properties.
    static var fields: PageFields<Self> { get }
    /// What a property holds.
    ///
    /// Each type has its own, for which the compiler knows the type: by an extension alone, the list would be looked up for
    /// whatever type it is at each tag of a page.
    func content(at place: Int) -> ShownContent
}

extension PagePart {
    static var kind: PageContentKind { .part(Self.self) }

    var shown: ShownContent { .part(self) }

    /// Where a property is among ``fields``; `nil` where there is none of this name.
    static func place(of name: String) -> Int? { fields.names.firstIndex(of: name) }

    /// What a property can hold.
    static func kind(at place: Int) -> PageContentKind { fields.kinds[place] }

    func content(at place: Int) -> ShownContent { Self.fields.readers[place](self) }
}

/// The properties of a part of a page: `["name": .of(\.name)]`.
struct PageFields<Part: PagePart>: ExpressibleByDictionaryLiteral, Sendable {
    /// One property.
    struct Field: Sendable {
        fileprivate let kind: PageContentKind
        fileprivate let read: @Sendable (Part) -> ShownContent

        /// The property that a function reads.
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

/// What one template shows.
protocol PageModel: PagePart {
    /// The name of the template: its file's name, without `.mustache`.
    static var template: String { get }
}

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
