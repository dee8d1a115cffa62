import Foundation

/// Standard input.
enum StandardInput {
    /// Returns its content, to its end or a number of bytes.
    static func content(upTo most: Int) throws -> Data {
        var data = Data()
        while data.count < most, let piece = try FileHandle.standardInput.read(upToCount: most - data.count),
            !piece.isEmpty
        {
            data += piece
        }
        return data
    }
}
