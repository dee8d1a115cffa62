import FeatureFlags

/// A place in a source file: lines and columns from 1, columns in bytes of UTF-8, as the compiler counts.
package struct SourcePosition: Hashable, Comparable, Codable, Sendable {
    /// The line.
    package let line: Int
    /// The column.
    package let column: Int

    /// Whether one place comes before another.
    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// What one source file says that may be about flags, whichever flags there are.
package struct SourceFacts: Codable, Sendable {
    /// A type, or an extension of one, with what it declares itself.
    struct DeclaredType: Codable, Sendable {
        /// The names of the types around it, and its own.
        let path: [String]
        /// Whether this is an extension, which does not tell what the type is.
        var isExtension = false
        /// The types that it is declared to conform to or to inherit from.
        var inherited: [String] = []
        var isProtocol = false
        /// Whether members that it does not declare may be those of something else, by `subscript(dynamicMember:)`.
        var isDynamic = false
        var flags: [DeclaredFlag] = []
        var groups: [DeclaredGroup] = []
        /// The names that stand for any type: generic parameters, associated types, and names of what has none itself.
        var placeholders: Set<String> = []
        /// The properties and functions, with what they give.
        var members: [String: SourceExpression] = [:]
        /// The properties that are texts.
        var constants: [String: Constant] = [:]
        var aliases: [String: SourceTypeName] = [:]
    }

    /// A property that declares a flag.
    struct DeclaredFlag: Hashable, Codable, Sendable {
        let property: String
        let key: DeclaredKey
        let position: SourcePosition
        /// The lines of the whole declaration, with the comments before it.
        let lines: ClosedRange<Int>
    }

    /// A property that declares a group.
    struct DeclaredGroup: Hashable, Codable, Sendable {
        let property: String
        let type: SourceTypeName
        let key: DeclaredKey
        /// The lines of the whole declaration, with the comments before it.
        let lines: ClosedRange<Int>
    }

    /// What a declaration adds to the key path.
    enum DeclaredKey: Hashable, Codable, Sendable {
        /// What is made from the property's name.
        case derived
        /// What is made from the property's name in one way, whatever the loader says.
        case transformed(KeyConfiguration.Transform)
        /// This component.
        case fixed(String)
        /// Nothing.
        case skipped
        /// Something that is known only when the program runs.
        case untold
    }

    /// A text with a name.
    struct Constant: Hashable, Codable, Sendable {
        let text: String
        let position: SourcePosition
        /// The lines of the whole declaration, with the comments before it.
        let lines: ClosedRange<Int>
        /// Whether it stands in a type called `Keys`, as `flagboard generate swift` makes them.
        let isInKeys: Bool
    }

    /// A member that is asked for, or an identifier by itself.
    struct Access: Codable, Sendable {
        /// What the member is asked of; `nil` for an identifier by itself.
        let base: SourceExpression?
        let name: String
        let position: SourcePosition
        /// The place in ``SourceFacts/types`` of the type around it.
        let place: Int
        /// Whether it is called like a function, which no flag is.
        let isCalled: Bool
    }

    /// A string literal, or a list of components of a key path.
    struct Text: Codable, Sendable {
        let text: String
        let position: SourcePosition
        let lines: ClosedRange<Int>
    }

    /// A type that a call is given, such as `addCollection(ShopFlags.self)`.
    struct GivenType: Hashable, Codable, Sendable {
        let type: SourceExpression
        /// The place in ``SourceFacts/types`` of the type around it.
        let place: Int
    }

    /// A name that is no member of anything written: a case or a property where it is declared, or a case that is used.
    struct Mention: Codable, Sendable {
        let name: String
        let position: SourcePosition
        var isDeclaration = false
        /// The text by which a decoder finds it, in `CodingKeys`.
        var coded: String?
    }

    /// The types; the first one stands for what is declared outside of any.
    var types: [DeclaredType] = [DeclaredType(path: [])]
    var accesses: [Access] = []
    var texts: [Text] = []
    var givenTypes: Set<GivenType> = []
    var mentions: [Mention] = []
    /// The configurations of keys that are written out.
    var configurations: Set<KeyConfiguration> = []
}
