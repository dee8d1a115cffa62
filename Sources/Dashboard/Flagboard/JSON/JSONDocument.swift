import FeatureFlags

/// A response of the API, or a part of one.
///
/// The build plugin `GeneratePages` lists the stored properties of each type that has no `members` of its own.
protocol JSONDocument: JSONContent {
    static var members: JSONMembers<Self> { get }
}

extension JSONDocument {
    static var shape: JSONShape { .document(of: Self.self) { Self.members.shapes } }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        let start = json.count
        for member in Self.members.sorted { member.write(self, json.count == start, &json) }
        json.append(UInt8(ascii: "}"))
    }
}

/// The members, `["key": .of(\.key)]`, written in the order of their names.
struct JSONMembers<Document: JSONContent>: ExpressibleByDictionaryLiteral, Sendable {
    struct Value: Sendable {
        fileprivate let shape: JSONShape
        fileprivate let about: String?
        fileprivate let write: @Sendable (Document, _ name: [UInt8], _ isFirst: Bool, inout [UInt8]) -> Void

        /// `about` is `nil` if ``APIMemberText`` has the meaning.
        static func of<Content: JSONContent>(
            _ read: @escaping @Sendable (Document) -> Content, _ about: String? = nil
        ) -> Value {
            Value(shape: Content.shape, about: about) { document, name, isFirst, json in
                let content = read(document)
                guard !content.isAbsent else { return }
                if !isFirst { json.append(UInt8(ascii: ",")) }
                json.append(contentsOf: name)
                content.write(to: &json)
            }
        }
    }

    fileprivate struct Member: Sendable {
        let name: [UInt8]
        let value: Value

        func write(_ document: Document, _ isFirst: Bool, _ json: inout [UInt8]) {
            value.write(document, name, isFirst, &json)
        }
    }

    fileprivate let sorted: [Member]
    let shapes: [JSONShape.Member]

    init(dictionaryLiteral members: (String, Value)...) {
        shapes = members.map { JSONShape.Member(name: $0, shape: $1.shape, about: $1.about) }
        sorted = members.sorted { $0.0 < $1.0 }.map { name, value in
            var written: [UInt8] = []
            name.write(to: &written)
            return Member(name: written + [UInt8(ascii: ":")], value: value)
        }
    }
}
