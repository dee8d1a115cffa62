/// The bytes that mean something in XML.
enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let openBracket = UInt8(ascii: "[")
    static let orderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
    static func isLineBreak(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
    static func isWhitespace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineBreak(byte) }
}
