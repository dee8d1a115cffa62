import FeatureFlags
import FlagHistory
import Foundation

/// What all files held at a moment, to tell whether they hold just the same at another.
///
/// It says nothing of what that was, and only the service that gave it knows it again.
public struct FilesVersion: Hashable, Sendable, RawRepresentable {
    /// The text, safe in a form.
    public let rawValue: String

    /// Takes a version back from the text that a form held.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A secret that keeps who sees versions from guessing at what internal flags hold.
    static func secret() -> Data {
        Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}

extension FilesVersion {
    /// All that a version follows from.
    struct Basis: Hashable {
        /// The hashes of the files; `nil` for one that is not there.
        let hashes: [Data?]
        /// What can't be used now leaves in force what was there before.
        let lastSound: [Data?]
        let lastGood: [[FlagKeyPath: FlagValue]]
        let broken: [[FlagKeyPath: FlagValueError]]

        /// The version, with the secret of the service.
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
            }
            return FilesVersion(rawValue: ContentHash.sha256(bytes).prefix(16).hexadecimal)
        }
    }
}

/// The version of a flag's value in one provider that an edit was based on, as opaque text.
public struct FlagRevision: Hashable, Sendable, RawRepresentable {
    /// The text, safe in a form, a header and a URL.
    public let rawValue: String

    /// Takes a revision back from the text that a form or header held.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension FlagRevision {
    /// The revision of a stored value: equal values have equal revisions.
    ///
    /// - Parameter stored: What the provider holds; `nil` where it holds nothing.
    public init(of stored: FlagValue?) {
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
    /// Bytes that are equal for equal values and different for different ones: the kind, then a length or a content.
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
