import FeatureFlags

/// A place in a source file: lines and columns from 1, columns in bytes of UTF-8, as the compiler counts.
package struct SourcePosition: Hashable, Comparable, Codable, Sendable {
    /// The line.
    package let line: Int
    /// The column.
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// Whether one place comes before another.
    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// What one source file says that may be about flags, whichever flags there are.
package struct SourceFacts: Codable, Sendable {
    /// A type, or an extension of one, with what it declares itself.
    package struct DeclaredType: Codable, Sendable {
        /// The names of the types around it, and its own.
        package let path: [String]
        /// Whether this is an extension, which does not tell what the type is.
        package var isExtension = false
        /// The types that it is declared to conform to or to inherit from.
        package var inherited: [String] = []
        package var isProtocol = false
        /// Whether members that it does not declare may be those of something else, by `subscript(dynamicMember:)`.
        package var isDynamic = false
        package var flags: [DeclaredFlag] = []
        package var groups: [DeclaredGroup] = []
        /// The names that stand for any type: generic parameters, associated types, and names of what has none itself.
        package var placeholders: Set<String> = []
        /// The properties and functions, with what they give.
        package var members: [String: SourceExpression] = [:]
        /// The properties that are texts.
        package var constants: [String: Constant] = [:]
        package var aliases: [String: SourceTypeName] = [:]

        package init(path: [String]) { self.path = path }
    }

    /// A property that declares a flag.
    package struct DeclaredFlag: Hashable, Codable, Sendable {
        package let property: String
        package let key: DeclaredKey
        package let position: SourcePosition
        /// The lines of the whole declaration, with the comments before it.
        package let lines: ClosedRange<Int>

        package init(property: String, key: DeclaredKey, position: SourcePosition, lines: ClosedRange<Int>) {
            (self.property, self.key, self.position, self.lines) = (property, key, position, lines)
        }
    }

    /// A property that declares a group.
    package struct DeclaredGroup: Hashable, Codable, Sendable {
        package let property: String
        package let type: SourceTypeName
        package let key: DeclaredKey
        /// The lines of the whole declaration, with the comments before it.
        package let lines: ClosedRange<Int>

        package init(property: String, type: SourceTypeName, key: DeclaredKey, lines: ClosedRange<Int>) {
            (self.property, self.type, self.key, self.lines) = (property, type, key, lines)
        }
    }

    /// What a declaration adds to the key path.
    package enum DeclaredKey: Hashable, Codable, Sendable {
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
    package struct Constant: Hashable, Codable, Sendable {
        package let text: String
        package let position: SourcePosition
        /// The lines of the whole declaration, with the comments before it.
        package let lines: ClosedRange<Int>
        /// Whether it stands in a type called `Keys`, as `flagboard generate swift` makes them.
        package let isInKeys: Bool

        package init(text: String, position: SourcePosition, lines: ClosedRange<Int>, isInKeys: Bool) {
            (self.text, self.position, self.lines, self.isInKeys) = (text, position, lines, isInKeys)
        }
    }

    /// A member that is asked for, or an identifier by itself.
    package struct Access: Codable, Sendable {
        /// What the member is asked of; `nil` for an identifier by itself.
        package let base: SourceExpression?
        package let name: String
        package let position: SourcePosition
        /// The place in ``SourceFacts/types`` of the type around it.
        package let place: Int
        /// Whether it is called like a function, which no flag is.
        package let isCalled: Bool

        package init(
            base: SourceExpression?, name: String, position: SourcePosition, place: Int, isCalled: Bool
        ) {
            (self.base, self.name, self.position, self.place) = (base, name, position, place)
            self.isCalled = isCalled
        }
    }

    /// A string literal, or a list of components of a key path.
    package struct Text: Codable, Sendable {
        package let text: String
        package let position: SourcePosition
        package let lines: ClosedRange<Int>

        package init(text: String, position: SourcePosition, lines: ClosedRange<Int>) {
            (self.text, self.position, self.lines) = (text, position, lines)
        }
    }

    /// A type that a call is given, such as `addCollection(ShopFlags.self)`.
    package struct GivenType: Hashable, Codable, Sendable {
        package let type: SourceExpression
        /// The place in ``SourceFacts/types`` of the type around it.
        package let place: Int

        package init(type: SourceExpression, place: Int) { (self.type, self.place) = (type, place) }
    }

    /// A name that is no member of anything written: a case or a property where it is declared, or a case that is used.
    package struct Mention: Codable, Sendable {
        package let name: String
        package let position: SourcePosition
        package let isDeclaration: Bool
        /// The text by which a decoder finds it, in `CodingKeys`.
        package let coded: String?

        package init(name: String, position: SourcePosition, isDeclaration: Bool = false, coded: String? = nil) {
            (self.name, self.position) = (name, position)
            (self.isDeclaration, self.coded) = (isDeclaration, coded)
        }
    }

    /// The types; the first one stands for what is declared outside of any.
    package var types: [DeclaredType] = [DeclaredType(path: [])]
    package var accesses: [Access] = []
    package var texts: [Text] = []
    package var givenTypes: Set<GivenType> = []
    package var mentions: [Mention] = []
    /// The configurations of keys that are written out.
    package var configurations: Set<KeyConfiguration> = []

    package init() {}
}
