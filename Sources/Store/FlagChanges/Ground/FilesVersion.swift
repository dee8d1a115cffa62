import FeatureFlags
import FlagHistory
import Foundation

/// An opaque version of all files, recognised only by its service.
package struct FilesVersion: Hashable, Sendable, RawRepresentable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Keeps versions from confirming guesses of internal flags' contents.
    static func secret() -> Data {
        Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}

extension FilesVersion {
    struct Basis: Hashable {
        /// The hashes; `nil` for a missing file.
        let hashes: [Data?]
        let lastSound: [Data?]
        let lastGood: [[FlagKeyPath: FlagValue]]
        let broken: [[FlagKeyPath: FlagValueError]]
        let brokenSources: [String?]

        func version(_ secret: Data) -> FilesVersion {
            let absent = Data(repeating: 0, count: 32)
            var bytes = hashes.reduce(secret) { $0 + ($1 ?? absent) }
            for (place, hash) in lastSound.enumerated() {
                bytes += hash ?? Data()
                for (key, value) in lastGood[place].sorted(by: { $0.key < $1.key }) {
                    bytes += Data("\n\(key.text)\n\(FlagJSON.line(value))".utf8)
                }
                for (key, problem) in broken[place].sorted(by: { $0.key < $1.key }) {
                    bytes += Data("\n\(key.text)\n\(problem)".utf8)
                }
                if let problem = brokenSources[place] { bytes += Data("\n\n\(problem)".utf8) }
            }
            return FilesVersion(rawValue: ContentHash.sha256(bytes).prefix(16).hexadecimal)
        }
    }
}

/// The opaque version of a flag's value in one provider.
public struct FlagRevision: Hashable, Sendable, RawRepresentable {
    /// The text, safe in a form, a header and a URL.
    public let rawValue: String

    /// Restores a revision from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension FlagRevision {
    /// Makes the revision of a stored value, or of none; equal values have equal revisions.
    package init(of stored: FlagValue?) {
        guard let stored else {
            self.init(rawValue: "absent")
            return
        }
        var bytes = Data()
        stored.appendCanonicalBytes(to: &bytes)
        self.init(rawValue: ContentHash.sha256(bytes).prefix(12).hexadecimal)
    }
}

extension FlagValue {
    /// Appends bytes that differ for different values.
    func appendCanonicalBytes(to bytes: inout Data) {
        func append(_ kind: Character, _ content: some Sequence<UInt8>) {
            let content = Data(content)
            bytes.append(contentsOf: "\(kind)\(content.count):".utf8)
            bytes.append(content)
        }
        switch self {
        case .bool(let value): append("b", "\(value)".utf8)
        case .integer(let value): append("i", "\(value)".utf8)
        case .double(let value): append("r", "\(value.isNaN ? Double.nan.bitPattern : value.bitPattern)".utf8)
        case .string(let value): append("s", value.utf8)
        case .date(let value): append("t", "\(value.timeIntervalSinceReferenceDate)".utf8)
        case .data(let value): append("d", value)
        case .broken(let value): append("x", "\(value.kind.rawValue):\(value.text)".utf8)
        case .array(let values):
            bytes.append(contentsOf: "a\(values.count):".utf8)
            for value in values { value.appendCanonicalBytes(to: &bytes) }
        case .dictionary(let values):
            bytes.append(contentsOf: "m\(values.count):".utf8)
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                append("k", key.utf8)
                value.appendCanonicalBytes(to: &bytes)
            }
        }
    }
}
