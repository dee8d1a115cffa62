import Foundation

/// A byte-wise parser of templates: as a Character, a brace would merge with a combining mark.
struct TemplateReader {
    private let name: String
    private let bytes: [UInt8]
    private let firstLine: Int
    private var place = 0

    init(name: String, bytes: [UInt8], firstLine: Int) {
        self.name = name
        self.bytes = bytes
        self.firstLine = firstLine
    }

    private struct Tag {
        /// `#`, `/` and so on; `nil` for a variable.
        let sign: UInt8?
        let name: String
        let written: String
        /// Includes the rest of the line if the tag stands alone on it.
        let range: Range<Int>
    }

    mutating func read() throws(TemplateError) -> [TemplateElement] { try elements(until: nil) }

    private mutating func elements(until end: String?) throws(TemplateError) -> [TemplateElement] {
        var elements: [TemplateElement] = []
        while place < bytes.count {
            let start = place
            guard let tag = try nextTag() else {
                elements.append(.text(Array(bytes[start...])))
                place = bytes.count
                break
            }
            if tag.range.lowerBound > start { elements.append(.text(Array(bytes[start..<tag.range.lowerBound]))) }
            place = tag.range.upperBound
            if tag.sign == UInt8(ascii: "/") {
                guard tag.name == end else { throw fault("\(tag.written) doesn’t end an open section", at: tag) }
                return elements
            }
            if let element = try element(of: tag) { elements.append(element) }
        }
        guard let end else { return elements }
        throw .syntax(name, reason: "{{/\(end)}} is missing.")
    }

    private mutating func element(of tag: Tag) throws(TemplateError) -> TemplateElement? {
        switch tag.sign {
        case UInt8(ascii: "#"): return .section(tag.name, try elements(until: tag.name))
        case UInt8(ascii: "^"): return .inverted(tag.name, try elements(until: tag.name))
        case UInt8(ascii: "$"): return .block(tag.name, try elements(until: tag.name))
        case UInt8(ascii: "<"): return .parent(tag.name, try elements(until: tag.name))
        case UInt8(ascii: ">"): return .partial(tag.name)
        case UInt8(ascii: "!"): return nil
        default: return .variable(tag.name)
        }
    }

    private func nextTag() throws(TemplateError) -> Tag? {
        guard let start = twoBraces(UInt8(ascii: "{"), from: place) else { return nil }
        guard let end = twoBraces(UInt8(ascii: "}"), from: start.upperBound) else {
            throw .syntax(name, reason: "line \(line(of: start.lowerBound)): a tag has no end.")
        }
        let content = bytes[start.upperBound..<end.lowerBound]
        let sign = content.first.flatMap { Self.signs.contains($0) ? $0 : nil }
        let written = "{{\(String(decoding: content, as: UTF8.self))}}"
        let before = bytes[..<start.lowerBound]
        let lineStart = before.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
        let isFirst = before[lineStart...].allSatisfy(Self.isSpace)
        let isIndented = isFirst && lineStart < start.lowerBound
        if let reason = Self.danger(of: content, isIndented: isIndented, isBare: before.last == UInt8(ascii: "=")) {
            throw .forbidden(name, reason: "\(written) \(reason)")
        }
        var range = start.lowerBound..<end.upperBound
        if sign != nil, isFirst, let next = startOfNextLine(after: end.upperBound) { range = lineStart..<next }
        let words = content.dropFirst(sign == nil ? 0 : 1).split(whereSeparator: Self.isSpace)
        let tag = Tag(
            sign: sign, name: words.count == 1 ? String(decoding: words[0], as: UTF8.self) : "", written: written,
            range: range)
        let mayAsk = sign == UInt8(ascii: "#") || sign == UInt8(ascii: "/")
        let name = mayAsk && tag.name.hasSuffix("?") ? tag.name.dropLast() : tag.name[...]
        if sign != UInt8(ascii: "!"), name.isEmpty || !name.utf8.allSatisfy(Self.isNamePart) {
            throw fault("\(written) isn’t a tag with a name", at: tag)
        }
        return tag
    }

    /// The range of two braces, by `memchr`: each start reads all templates.
    private func twoBraces(_ brace: UInt8, from start: Int) -> Range<Int>? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var start = start
            while start + 1 < bytes.count, let found = memchr(base + start, Int32(brace), bytes.count - 1 - start) {
                let place = UnsafeRawPointer(found) - base
                if bytes[place + 1] == brace { return place..<place + 2 }
                start = place + 1
            }
            return nil
        }
    }

    private static func danger(of content: ArraySlice<UInt8>, isIndented: Bool, isBare: Bool) -> String? {
        switch content.first {
        case UInt8(ascii: "{"), UInt8(ascii: "&"): return "is not escaped; use {{ and }}"
        case UInt8(ascii: "="): return "changes the delimiters; keep {{ and }}"
        case UInt8(ascii: "%"): return "changes the escaping; only the first line may set it"
        case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "$"):
            if content.dropFirst().drop(while: isSpace).first == UInt8(ascii: "*") {
                return "doesn’t name a template; write the name out"
            }
            return isIndented ? "is indented, which would add spaces to text areas" : nil
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "/"), UInt8(ascii: "!"): return nil
        default: return isBare ? "is in an attribute without quotes" : nil
        }
    }

    private func startOfNextLine(after place: Int) -> Int? {
        guard let next = bytes[place...].firstIndex(where: { !Self.isSpace($0) }) else { return bytes.count }
        return bytes[next] == Self.newline ? next + 1 : nil
    }

    private func line(of place: Int) -> Int { firstLine + bytes[..<place].count { $0 == Self.newline } }

    private func fault(_ reason: String, at tag: Tag) -> TemplateError {
        .syntax(name, reason: "line \(line(of: tag.range.lowerBound)): \(reason).")
    }

    private static let newline = UInt8(ascii: "\n")
    private static let signs = Set("#^/$<>!{&=%".utf8)

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// A parsed template, checked for unsafe tags.
///
/// It supports the part of mustache that the dashboard needs: `{{name}}`, `{{#section}}`, `{{^inverted}}`,
/// `{{>partial}}`, `{{<parent}}` with `{{$block}}`, and `{{! comments }}`. A tag alone on its line takes the line with
/// it.
struct TemplateSource {
    /// The required first line, which declares the escaping.
    static let opening = "{{% CONTENT_TYPE:SAFE}}\n"

    let name: String
    let elements: [TemplateElement]

    init(name: String, text: String) throws(TemplateError) {
        let opening = Self.opening
        guard text.utf8.starts(with: opening.utf8) else {
            throw .forbidden(name, reason: "its first line must be \(opening)")
        }
        self.name = name
        var reader = TemplateReader(name: name, bytes: Array(text.utf8.dropFirst(opening.utf8.count)), firstLine: 2)
        elements = try reader.read()
    }

    var references: [String] { elements.flatMap(\.references) }
}

indirect enum TemplateElement {
    case text([UInt8])
    case variable(String)
    case section(String, [TemplateElement])
    case inverted(String, [TemplateElement])
    case partial(String)
    /// Another template with some of its blocks replaced.
    case parent(String, [TemplateElement])
    /// A replaceable block with its default content.
    case block(String, [TemplateElement])

    fileprivate var references: [String] {
        switch self {
        case .text, .variable: []
        case .partial(let name): [name]
        case .parent(let name, let inner): [name] + inner.flatMap(\.references)
        case .section(_, let inner), .inverted(_, let inner), .block(_, let inner): inner.flatMap(\.references)
        }
    }
}
