/// A page or a part of one, with stored, display-ready properties for templates.
///
/// The build plugin `GeneratePages` implements both requirements. Templates are bound to the list at start, so that
/// rendering needs neither reflection nor lookups by name.
protocol PagePart: PageContent {
    static var fields: PageFields { get }
    /// `place` is an index of ``fields``.
    func content(at place: Int) -> ShownContent
}

extension PagePart {
    static var kind: PageContentKind { .part(Self.self) }

    var shown: ShownContent { .part(self) }

    /// An index of ``fields``.
    static func place(of name: String) -> Int? { fields.places[name] }

    static func kind(at place: Int) -> PageContentKind { fields.kinds[place] }
}

/// The properties of a page part: `["name": .of(\Self.name)]`.
///
/// It isn't generic over the part: types made for each of the parts would slow the start.
struct PageFields: ExpressibleByDictionaryLiteral, Sendable {
    struct Field: Sendable {
        fileprivate let kind: PageContentKind

        static func of<Part, Value: PageContent>(_: (Part) -> Value) -> Field { Field(kind: Value.kind) }
    }

    fileprivate let places: [String: Int]
    fileprivate let kinds: [PageContentKind]

    var names: [String] { Array(places.keys) }

    init(dictionaryLiteral fields: (String, Field)...) {
        places = Dictionary(uniqueKeysWithValues: zip(fields.map(\.0), fields.indices))
        kinds = fields.map(\.1.kind)
    }
}

protocol PageModel: PagePart {
    /// Without `.mustache`.
    static var template: String { get }
}

protocol PageContent: Sendable {
    static var kind: PageContentKind { get }
    var shown: ShownContent { get }
}

/// A type as templates see it.
indirect enum PageContentKind: Sendable {
    case text, flag
    case part(any PagePart.Type)
    case optional(PageContentKind)
    case list(PageContentKind)
}

/// A value as templates see it.
enum ShownContent: Sendable {
    case absent
    case text(String)
    case flag(Bool)
    case part(any PagePart)
    case list(any ShownList)
}

/// An array whose elements become contents only as they are shown.
protocol ShownList: Sendable {
    var count: Int { get }
    func shown(at place: Int) -> ShownContent
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
    var shown: ShownContent { .list(self) }
}

extension Array: ShownList where Element: PageContent {
    func shown(at place: Int) -> ShownContent { self[place].shown }
}
