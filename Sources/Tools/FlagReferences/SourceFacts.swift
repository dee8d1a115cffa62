import FeatureFlags

/// A position from 1, with columns in UTF-8 bytes, as in the compiler.
package struct SourcePosition: Hashable, Comparable, Codable, Sendable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Facts that may concern flags, whichever exist.
package struct SourceFacts: Codable, Sendable {
    /// A type or an extension, with its own declarations.
    package struct DeclaredType: Codable, Sendable {
        /// The names of the enclosing types, and its own.
        package let path: [String]
        package var isExtension = false
        /// The last names of its superclass and protocols.
        package var inherited: [String] = []
        package var isProtocol = false
        /// `true` with `subscript(dynamicMember:)`, through which undeclared members exist.
        package var isDynamic = false
        package var flags: [DeclaredFlag] = []
        package var groups: [DeclaredGroup] = []
        /// Names that may be any type: generic parameters, associated types, aliases of unnamed types.
        package var placeholders: Set<String> = []
        package var members: [String: SourceExpression] = [:]
        package var constants: [String: Constant] = [:]
        package var aliases: [String: SourceTypeName] = [:]

        package init(path: [String]) { self.path = path }
    }

    package struct DeclaredFlag: Hashable, Codable, Sendable {
        package let property: String
        package let key: DeclaredKey
        package let position: SourcePosition
        /// The whole declaration, with the comments before it.
        package let lines: ClosedRange<Int>

        package init(property: String, key: DeclaredKey, position: SourcePosition, lines: ClosedRange<Int>) {
            (self.property, self.key, self.position, self.lines) = (property, key, position, lines)
        }
    }

    package struct DeclaredGroup: Hashable, Codable, Sendable {
        package let property: String
        package let type: SourceTypeName
        package let key: DeclaredKey
        package let lines: ClosedRange<Int>

        package init(property: String, type: SourceTypeName, key: DeclaredKey, lines: ClosedRange<Int>) {
            (self.property, self.type, self.key, self.lines) = (property, type, key, lines)
        }
    }

    package enum DeclaredKey: Hashable, Codable, Sendable {
        /// Derived from the property's name by the loader's configuration.
        case derived
        /// Derived from the property's name, whatever the loader's configuration.
        case transformed(KeyConfiguration.Transform)
        case fixed(String)
        /// The whole key path of a flag.
        case path([String])
        case skipped
        /// Known only when the program runs.
        case untold
    }

    package struct Constant: Hashable, Codable, Sendable {
        package let text: String
        package let position: SourcePosition
        package let lines: ClosedRange<Int>
        /// `true` in a type called `Keys`, as `flagboard generate swift` makes them.
        package let isInKeys: Bool

        package init(text: String, position: SourcePosition, lines: ClosedRange<Int>, isInKeys: Bool) {
            (self.text, self.position, self.lines, self.isInKeys) = (text, position, lines, isInKeys)
        }
    }

    /// An access to a member, or a lone identifier.
    package struct Access: Codable, Sendable {
        /// `nil` for a lone identifier.
        package let base: SourceExpression?
        package let name: String
        package let position: SourcePosition
        /// The enclosing type's index in ``SourceFacts/types``.
        package let place: Int
        package let isCalled: Bool

        package init(
            base: SourceExpression?, name: String, position: SourcePosition, place: Int, isCalled: Bool
        ) {
            (self.base, self.name, self.position, self.place) = (base, name, position, place)
            self.isCalled = isCalled
        }
    }

    /// A string literal, or a list of a key path's components.
    package struct Text: Codable, Sendable {
        package let text: String
        package let position: SourcePosition
        package let lines: ClosedRange<Int>

        package init(text: String, position: SourcePosition, lines: ClosedRange<Int>) {
            (self.text, self.position, self.lines) = (text, position, lines)
        }
    }

    /// A type passed to a call, such as `addCollection(ShopFlags.self)`.
    package struct GivenType: Hashable, Codable, Sendable {
        package let type: SourceExpression
        package let place: Int

        package init(type: SourceExpression, place: Int) { (self.type, self.place) = (type, place) }
    }

    /// A name without a base: a declared case or property, or a used case.
    package struct Mention: Codable, Sendable {
        package let name: String
        package let position: SourcePosition
        package let isDeclaration: Bool
        /// The name's text in `CodingKeys`.
        package let coded: String?

        package init(name: String, position: SourcePosition, isDeclaration: Bool = false, coded: String? = nil) {
            (self.name, self.position) = (name, position)
            (self.isDeclaration, self.coded) = (isDeclaration, coded)
        }
    }

    /// The first holds the declarations outside of types.
    package var types: [DeclaredType] = [DeclaredType(path: [])]
    package var accesses: [Access] = []
    package var texts: [Text] = []
    package var givenTypes: Set<GivenType> = []
    package var mentions: [Mention] = []
    /// The key configurations written in the code.
    package var configurations: Set<KeyConfiguration> = []

    package init() {}
}
