import FeatureFlags
import FlagChanges
import FlagHistory

/// A value in a ``JSONDocument``.
///
/// It is written as in every export: keys sorted, and whole reals with a decimal point to distinguish them from
/// integers.
protocol JSONContent: Sendable {
    /// `true` omits the member.
    var isAbsent: Bool { get }
    func write(to json: inout [UInt8])
    static var shape: JSONShape { get }
}

extension JSONContent {
    /// The UTF-8 text on one line.
    var json: [UInt8] {
        var json: [UInt8] = []
        write(to: &json)
        return json
    }
}

extension [UInt8]: JSONMemberSink {
    mutating func add<Content: JSONContent>(_ name: StaticString, _ content: Content) {
        guard !content.isAbsent else { return }
        if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        content.write(to: &self)
    }
}

extension String: JSONContent {
    static var shape: JSONShape { .text }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        var text = self
        json.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            var written = 0
            for place in bytes.indices where Self.isEscaped(bytes[place]) {
                json.append(contentsOf: bytes[written..<place])
                json.append(contentsOf: Self.escape(of: bytes[place]).utf8)
                written = place + 1
            }
            json.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[written...]))
        }
        json.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        case 0x00...0x0F: "\\u000" + String(byte, radix: 16)
        default: "\\u00" + String(byte, radix: 16)
        }
    }
}

extension Bool: JSONContent {
    static var shape: JSONShape { .boolean }
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension Int: JSONContent {
    static var shape: JSONShape { .integer }
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Int64: JSONContent {
    static var shape: JSONShape { .integer }
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension PlainValue: JSONContent {
    static var shape: JSONShape { .anything }
    var isAbsent: Bool { false }

    func write(to bytes: inout [UInt8]) {
        switch json {
        case .scalar(.bool(let value)): value.write(to: &bytes)
        case .scalar(.string(let text)): text.write(to: &bytes)
        case .scalar(.integer(let number)): bytes.append(contentsOf: String(number).utf8)
        default: bytes.append(contentsOf: FlagJSON.line(json).utf8)
        }
    }
}

extension Optional: JSONContent where Wrapped: JSONContent {
    static var shape: JSONShape { .optional(Wrapped.shape) }
    var isAbsent: Bool { self == nil }

    func write(to json: inout [UInt8]) {
        if let self { self.write(to: &json) } else { json.append(contentsOf: "null".utf8) }
    }
}

extension Array: JSONContent where Element: JSONContent {
    static var shape: JSONShape { .array(Element.shape) }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for place in indices {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            self[place].write(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension Dictionary: JSONContent where Key == String, Value: JSONContent {
    static var shape: JSONShape { .map(Value.shape) }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        for (place, entry) in sorted(by: { $0.key < $1.key }).enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            entry.key.write(to: &json)
            json.append(UInt8(ascii: ":"))
            entry.value.write(to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }
}

/// A text out of a fixed set.
protocol JSONWord: JSONContent, RawRepresentable<String>, CaseIterable {}

extension JSONWord {
    static var shape: JSONShape { .words(allCases.map(\.rawValue)) }
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { rawValue.write(to: &json) }
}

extension FlagType: JSONWord {}
extension FlagState: JSONWord {}
extension FlagStorage: JSONWord {}
extension FlagFormat: JSONWord {}
extension FlagComputation: JSONWord {}
extension HistoryRecord.Kind: JSONWord {}
extension HistoryRecord.Origin: JSONWord {}
extension ImportPlan.Mode: JSONWord {}

/// A flag's value as plain JSON.
///
/// A `json` flag is that JSON, however it is stored; dates are ISO 8601, data is base64, and numbers without a JSON
/// form are written by name.
struct PlainValue: Sendable {
    let json: JSONValue

    init(json: JSONValue) { self.json = json }

    /// `type` is `nil` if unknown.
    init(_ value: FlagValue, of type: FlagType?) {
        json = FlagJSON.json(value, of: type)
    }

    /// A value before or after a change, of a flag or of its manifest entry.
    init(_ value: FlagValue, of event: HistoryEvent) {
        json = event.provider == nil ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: event.type)
    }

    /// A value of a preview or conflict, of a flag or of its manifest entry.
    init(_ value: FlagValue, of type: FlagType?, isOfDefinition: Bool) {
        json = isOfDefinition ? FlagJSON.json(manifest: value) : FlagJSON.json(value, of: type)
    }
}
