import ArgumentParser
import FeatureFlagsXML

/// A number of bytes: `500000`, `512M`, `1G`.
struct FileSizeOption: Hashable, Sendable {
    private static let units: [Character: Int] = ["K": 1024, "M": 1024 * 1024, "G": 1024 * 1024 * 1024]

    let bytes: Int

    /// Reads the option's value.
    init(argument: String) throws {
        let unit = argument.last.flatMap { Self.units[Character($0.uppercased())] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        let (bytes, isTooMuch) = (Int(digits) ?? 0).multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooMuch, (1...PropertyListDocument.largestMaximumSize).contains(bytes) else {
            throw ValidationError(
                "\"\(argument)\" is no size of a file; write it as 512M, 1G (the most) or a number of bytes.")
        }
        self.bytes = bytes
    }

    /// The size as people write it, where it is a whole number of MiB.
    static func text(_ bytes: Int) -> String {
        bytes % (1024 * 1024) == 0 ? "\(bytes / 1024 / 1024)M" : "\(bytes)"
    }
}
