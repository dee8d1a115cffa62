import Foundation

/// The name of an element as libxml2 has it.
struct PropertyListName {
    let name: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?

    var text: String { (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: name) }

    /// The element of a property list; `nil` for any other name.
    var element: PropertyListBuilder.Element? {
        guard prefix == nil else { return nil }
        switch name[0] {
        case UInt8(ascii: "k"): return has("key") ? .key : nil
        case UInt8(ascii: "t"): return has("true") ? .yes : nil
        case UInt8(ascii: "f"): return has("false") ? .no : nil
        case UInt8(ascii: "s"): return has("string") ? .string : nil
        case UInt8(ascii: "i"): return has("integer") ? .integer : nil
        case UInt8(ascii: "r"): return has("real") ? .real : nil
        case UInt8(ascii: "a"): return has("array") ? .array : nil
        case UInt8(ascii: "d"): return has("dict") ? .dict : has("date") ? .date : has("data") ? .data : nil
        case UInt8(ascii: "p"): return has("plist") ? .plist : nil
        default: return nil
        }
    }

    private func has(_ text: StaticString) -> Bool {
        let (name, text) = (UnsafeRawPointer(name), UnsafeRawPointer(text.utf8Start))
        return strcmp(name.assumingMemoryBound(to: CChar.self), text.assumingMemoryBound(to: CChar.self)) == 0
    }

    /// Whether it stands at a place of a source.
    func stands(at offset: Int, of source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard prefix == nil else { return source[offset...].starts(with: text.utf8) }
        var (offset, place) = (offset, 0)
        while name[place] != 0 {
            guard offset < source.count, source[offset] == name[place] else { return false }
            (offset, place) = (offset + 1, place + 1)
        }
        return true
    }
}
