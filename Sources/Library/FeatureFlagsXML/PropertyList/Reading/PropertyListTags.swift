import Foundation

/// Checks the tags of a source before a parser sees them.
///
/// libxml2 compares each attribute of a tag with all before it: a tag of a megabyte would take minutes. And a few bytes
/// of source become an element of hundreds of bytes in the tree.
struct PropertyListTags {
    /// A limit in bytes: a property list has no attribute but `version`.
    private static let maximumTagSize = 4096

    private let bytes: UnsafeRawBufferPointer
    private let maximumElements: Int
    private var offset = 0
    private var elements = 0

    private init(_ bytes: UnsafeRawBufferPointer, maximumElements: Int) {
        self.bytes = bytes
        self.maximumElements = maximumElements
    }

    /// Finds the first excess, if any, and counts the elements; the parser checks that the UTF-8 is well-formed.
    static func excess(
        in source: Data, maximumElements: Int
    ) -> (fault: (PropertyListError.Cause, offset: Int)?, elements: Int) {
        source.withUnsafeBytes { bytes in
            var tags = PropertyListTags(bytes, maximumElements: maximumElements)
            return (tags.firstExcess(), tags.elements)
        }
    }

    private mutating func firstExcess() -> (PropertyListError.Cause, offset: Int)? {
        while let start = position(of: Byte.less, from: offset, to: bytes.count) {
            if starts(with: "<!--", at: start) {
                skip(past: "-->", from: start + 4)
            } else if starts(with: "<![CDATA[", at: start) {
                skip(past: "]]>", from: start + 9)
            } else if starts(with: "<?", at: start) {
                skip(past: "?>", from: start + 2)
            } else if starts(with: "<!", at: start) {
                offset = start + 2
            } else {
                guard skipTag(from: start) else { return (.tagTooLong, start) }
                if !starts(with: "</", at: start) { elements += 1 }
                if elements > maximumElements { return (.tooMany(maximum: maximumElements), start) }
            }
        }
        return nil
    }

    private mutating func skipTag(from start: Int) -> Bool {
        offset = start + 1
        let limit = min(start + Self.maximumTagSize, bytes.count)
        while let end = position(of: Byte.greater, from: offset, to: limit) {
            // A quoted value may contain `>`.
            let double = position(of: UInt8(ascii: "\""), from: offset, to: end) ?? end
            let open = position(of: UInt8(ascii: "'"), from: offset, to: double) ?? double
            guard open < end else {
                offset = end + 1
                return true
            }
            guard let close = position(of: bytes[open], from: open + 1, to: limit) else { break }
            offset = close + 1
        }
        offset = limit
        return limit == bytes.count
    }

    private mutating func skip(past text: StaticString, from start: Int) {
        offset = start
        while let found = position(of: text.utf8Start[0], from: offset, to: bytes.count) {
            offset = found + 1
            if starts(with: text, at: found) {
                offset = found + text.utf8CodeUnitCount
                return
            }
        }
        offset = bytes.count
    }

    private func starts(with text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    private func position(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

struct PropertyListName {
    let name: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let hasAttributes: Bool

    var text: String { (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: name) }

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
