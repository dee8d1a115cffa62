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
