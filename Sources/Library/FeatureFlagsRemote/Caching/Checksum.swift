import Foundation

/// A CRC-64 of bytes (ECMA-182, reflected, as xz has it): tells a torn or damaged file from a whole one, and is no protection
/// against somebody who means to forge it.
struct Checksum: Hashable, Sendable {
    /// The sum.
    let value: UInt64

    private static let table: [UInt64] = (0..<256).map { byte in
        (0..<8).reduce(UInt64(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xC96C_5795_D787_0F42 : sum >> 1 }
    }

    /// Sums up bytes.
    ///
    /// - Parameter pieces: The bytes, piece by piece.
    init(_ pieces: Data...) {
        value = ~Self.table.withUnsafeBufferPointer { table in
            pieces.reduce(~UInt64(0)) { sum, piece in
                piece.withUnsafeBytes { bytes in
                    bytes.reduce(sum) { table[Int(truncatingIfNeeded: $0 ^ UInt64($1)) & 0xFF] ^ $0 >> 8 }
                }
            }
        }
    }

    /// Sixteen hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
