import Foundation

/// Makes the tables of properties of page parts and JSON documents, as Swift source.
///
/// A macro could make them, but would add swift-syntax to every build. Declarations are found by the layout of
/// `script/format`; the compiler reports a missing or wrong table.
enum PropertyTables {
    private struct Kind {
        let name: String
        let type: String
        let protocols: Set<String>

        static let all = [
            Kind(name: "fields", type: "PageFields", protocols: ["PagePart", "PageModel"]),
            Kind(name: "members", type: "JSONMembers<Self>", protocols: ["JSONDocument"]),
        ]
    }

    static func source(of folder: URL) throws -> String {
        let path = folder.path(percentEncoded: false)
        var types: [String: DeclaredType] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for type in DeclarationScanner.types(in: text) {
                types[type.name, default: DeclaredType(name: type.name)].add(type)
            }
        }
        let sorted = types.values.sorted { $0.name < $1.name }
        return list("pages", of: "PageModel", sorted) + list("parts", of: "PagePart", sorted)
            + sorted.flatMap(tables).joined()
    }

    /// A list of conforming types.
    private static func list(_ name: String, of conformance: String, _ types: [DeclaredType]) -> String {
        let entries = types.filter { $0.conformances.contains(conformance) }.map { "        \($0.name).self,\n" }
        return "extension TemplateLibrary {\n    static let \(name): [any \(conformance).Type] = [\n"
            + "\(entries.joined())    ]\n}\n"
    }

    private static func tables(of type: DeclaredType) -> [String] {
        Kind.all.filter { !$0.protocols.isDisjoint(with: type.conformances) && !type.constants.contains($0.name) }
            .map { kind in
                let entries = type.properties.map { "        \"\($0)\": .of(\\Self.\($0)),\n" }
                let reading = kind.name == "fields" ? reader(of: type.properties) : ""
                return "extension \(type.name) {\n    static let \(kind.name): \(kind.type) = [\n"
                    + "\(entries.joined())    ]\n\(reading)}\n"
            }
    }

    /// Reads a property by its index: a lookup in a list would be slow at each tag.
    private static func reader(of properties: [String]) -> String {
        let cases = properties.enumerated().map { "        case \($0): \($1).shown\n" }
        return "    func content(at place: Int) -> ShownContent {\n        switch place {\n\(cases.joined())"
            + "        default: .absent\n        }\n    }\n"
    }
}

/// A type, merged from its declaration and extensions.
struct DeclaredType {
    /// The name, with those of the enclosing types.
    let name: String
    var conformances: Set<String> = []
    /// The stored properties, in order.
    var properties: [String] = []
    /// The static stored properties.
    var constants: Set<String> = []

    mutating func add(_ other: DeclaredType) {
        conformances.formUnion(other.conformances)
        properties += other.properties
        constants.formUnion(other.constants)
    }
}

/// Finds types in source laid out by swift-format: members are indented by four spaces, and a closing brace like its
/// opening line.
struct DeclarationScanner {
    private struct Open {
        let indentation: Int
        var type: DeclaredType
    }

    private var open: [Open] = []
    private var closed: [DeclaredType] = []

    static func types(in source: String) -> [DeclaredType] {
        var scanner = Self()
        scanner.read(source)
        return scanner.closed
    }

    private mutating func read(_ source: String) {
        /// The lines of a declaration, up to its opening brace.
        var header = ""
        var indentation = 0
        for line in source.utf8.split(separator: UInt8(ascii: "\n")) {
            let bytes = line.drop { $0 == UInt8(ascii: " ") }
            let text = Substring(bytes)
            if header.isEmpty {
                indentation = line.count - bytes.count
                if text == "}" { close(indentation) }
                guard let declaration = Declaration(text) else { continue }
                guard declaration.isOfType else {
                    addProperty(declaration, indentation)
                    continue
                }
            }
            header += header.isEmpty ? text : " " + text
            guard text.contains("{") else { continue }
            enter(header, indentation)
            header = ""
        }
    }

    private mutating func enter(_ header: String, _ indentation: Int) {
        guard let declaration = Declaration(header[...]) else { return }
        let around = open.last.map { $0.type.name + "." } ?? ""
        var type = DeclaredType(name: around + declaration.name)
        var inheritance = declaration.rest.prefix { $0 != "{" }
        if inheritance.first == "<" { inheritance = inheritance.drop { $0 != ">" } }
        type.conformances = Set(inheritance.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        open.append(Open(indentation: indentation, type: type))
        guard header.count(where: { $0 == "{" }) == header.count(where: { $0 == "}" }) else { return }
        // The whole type is on one line.
        let members = declaration.rest.drop { $0 != "{" }.dropFirst().dropLast().drop { $0 == " " }
        if let member = Declaration(members) {
            if member.isOfType {
                enter(String(members).trimmingCharacters(in: .whitespaces), indentation + 4)
            } else {
                addProperty(member, indentation + 4)
            }
        }
        close(indentation)
    }

    private mutating func addProperty(_ declaration: Declaration, _ indentation: Int) {
        guard let last = open.indices.last, open[last].indentation + 4 == indentation, declaration.isStored else {
            return
        }
        if declaration.modifiers.contains("static") {
            open[last].type.constants.insert(declaration.name)
        } else {
            open[last].type.properties.append(declaration.name)
        }
    }

    private mutating func close(_ indentation: Int) {
        while let last = open.last, last.indentation >= indentation {
            closed.append(last.type)
            open.removeLast()
        }
    }
}

private struct Declaration {
    private(set) var modifiers: [Substring] = []
    let keyword: Substring
    let name: String
    /// The text after the name.
    let rest: Substring

    private static let known: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "private(set)", "final", "indirect", "static",
        "nonisolated",
    ]
    private static let types: Set<Substring> = ["struct", "enum", "class", "actor", "extension"]

    /// `nil` if the line declares neither a type nor a property.
    init?(_ line: Substring) {
        var rest = line
        var word = rest.prefix { $0 != " " }
        while Self.known.contains(word) || word.hasPrefix("@") {
            modifiers.append(word)
            rest = rest.dropFirst(word.count + 1)
            word = rest.prefix { $0 != " " }
        }
        guard Self.types.contains(word) || word == "let" || word == "var" else { return nil }
        keyword = word
        rest = rest.dropFirst(word.count + 1)
        let name = rest.prefix { $0.isLetter || $0.isNumber || "_.`".contains($0) }
        self.name = name.filter { $0 != "`" }
        self.rest = rest.dropFirst(name.count)
        guard !self.name.isEmpty else { return nil }
    }

    var isOfType: Bool { Self.types.contains(keyword) }

    var isStored: Bool { keyword == "let" || keyword == "var" && !rest.prefix { $0 != "=" }.contains("{") }
}
