import FeatureFlags

/// What can stand in a ``JSONDocument``, in the spelling of every export: keys sorted, and a real that is whole with its
/// point, by which it can be told from an integer.
protocol JSONContent: Sendable {
    /// Whether there is nothing to tell, so that the member is left out.
    var isAbsent: Bool { get }
    /// Appends the JSON, in UTF-8 and on one line.
    func write(to json: inout [UInt8])
}

extension JSONContent {
    /// The JSON, in UTF-8 and on one line.
    var json: [UInt8] {
        var json: [UInt8] = []
        write(to: &json)
        return json
    }
}

extension String: JSONContent {
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        var text = self
        json.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            var written = 0
            for place in bytes.indices {
                guard let escape = Self.escape(of: bytes[place]) else { continue }
                json.append(contentsOf: bytes[written..<place])
                json.append(contentsOf: escape.utf8)
                written = place + 1
            }
            json.append(contentsOf: bytes[written...])
        }
        json.append(UInt8(ascii: "\""))
    }

    /// What stands for a byte that can't stand in a string; `nil` for the byte itself.
    private static func escape(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        case 0x00...0x0F: "\\u000" + String(byte, radix: 16)
        case 0x10...0x1F: "\\u00" + String(byte, radix: 16)
        default: nil
        }
    }
}

extension Bool: JSONContent {
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: (self ? "true" : "false").utf8) }
}

extension Int: JSONContent {
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension Int64: JSONContent {
    var isAbsent: Bool { false }
    func write(to json: inout [UInt8]) { json.append(contentsOf: String(self).utf8) }
}

extension PlainValue: JSONContent {
    var isAbsent: Bool { false }

    func write(to bytes: inout [UInt8]) {
        switch json {
        case .scalar(.bool(let value)): value.write(to: &bytes)
        case .scalar(.string(let text)): text.write(to: &bytes)
        default: bytes.append(contentsOf: FlagJSON.line(json).utf8)
        }
    }
}

extension Optional: JSONContent where Wrapped: JSONContent {
    var isAbsent: Bool { self == nil }

    func write(to json: inout [UInt8]) {
        if let self { self.write(to: &json) } else { json.append(contentsOf: "null".utf8) }
    }
}

extension Array: JSONContent where Element: JSONContent {
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for (place, element) in enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            element.write(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension Dictionary: JSONContent where Key == String, Value: JSONContent {
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
