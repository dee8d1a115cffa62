import Foundation

extension PropertyListDocument {
    package var comments: [String] { commentRanges.map { String(decoding: source[$0], as: UTF8.self) } }

    var commentRanges: [Range<Int>] {
        var comments: [Range<Int>] = []
        let (comment, section, instruction) = (Array("<!--".utf8), Array("<![CDATA[".utf8), Array("<?".utf8))
        source.withUnsafeBytes { bytes in
            var offset = 0
            func end(_ closing: String, past opening: Int) -> Int {
                let tail = Array(closing.utf8)
                var place = offset + opening
                while place + tail.count <= bytes.count {
                    if bytes[place..<(place + tail.count)].elementsEqual(tail) { return place + tail.count }
                    place += 1
                }
                return bytes.count
            }
            while let start = bytes[offset...].firstIndex(of: Byte.less) {
                offset = start
                if bytes[start...].starts(with: comment) {
                    offset = end("-->", past: comment.count)
                    comments.append(start..<offset)
                } else if bytes[start...].starts(with: section) {
                    offset = end("]]>", past: section.count)
                } else if bytes[start...].starts(with: instruction) {
                    offset = end("?>", past: instruction.count)
                } else {
                    offset += 1
                }
            }
        }
        return comments
    }
}
