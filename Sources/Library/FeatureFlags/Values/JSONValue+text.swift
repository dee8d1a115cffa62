extension JSONValue {
    /// Returns JSON text with sorted keys; without `indent`, on one line without spaces.
    func text(indent: String?) -> String {
        var text = ""
        write(to: &text, indent: indent, level: 0)
        return text
    }

    private func write(to text: inout String, indent: String?, level: Int) {
        switch self {
        case .null, .unsupported: text += "null"
        case .longInteger(let digits): text += digits
        case .scalar(.bool(let value)): text += "\(value)"
        case .scalar(.integer(let value)): text += "\(value)"
        // The point distinguishes a whole real from an integer.
        case .scalar(.double(let value)): text += "\(value)"
        case .scalar(.string(let value)): Self.write(value, to: &text)
        case .scalar: text += "null"
        case .array(let values):
            Self.write(values, "[", "]", to: &text, indent: indent, level: level) { value, text in
                value.write(to: &text, indent: indent, level: level + 1)
            }
        case .object(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            Self.write(sorted, "{", "}", to: &text, indent: indent, level: level) { entry, text in
                Self.write(entry.key, to: &text)
                text += indent == nil ? ":" : ": "
                entry.value.write(to: &text, indent: indent, level: level + 1)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: String, _ close: String, to text: inout String, indent: String?, level: Int,
        _ element: (Element, inout String) -> Void
    ) {
        text += open
        for (index, each) in elements.enumerated() {
            if index > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: indent, count: level + 1) }
            element(each, &text)
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: indent, count: level) }
        text += close
    }

    private static func write(_ string: String, to text: inout String) {
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            text += "\"" + string + "\""
            return
        }
        // Bytes, as a view of scalars copies its whole content at each append of a run.
        var escaped: [UInt8] = []
        escaped.reserveCapacity(string.utf8.count * 2)
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): escaped += "\\\"".utf8
            case UInt8(ascii: "\\"): escaped += "\\\\".utf8
            case UInt8(ascii: "\n"): escaped += "\\n".utf8
            case UInt8(ascii: "\r"): escaped += "\\r".utf8
            case UInt8(ascii: "\t"): escaped += "\\t".utf8
            case 0..<0x20:
                escaped += (byte < 0x10 ? "\\u000" : "\\u00").utf8
                escaped += String(byte, radix: 16).utf8
            default: escaped.append(byte)
            }
        }
        text += "\"" + String(decoding: escaped, as: UTF8.self) + "\""
    }
}
