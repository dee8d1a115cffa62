import ArgumentParser
import FeatureFlags
import Foundation

struct FlagboardEnvironment {
    static let prefix = "FLAGBOARD_"

    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    subscript(name: String) -> String? {
        variables[Self.prefix + name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// `true` if no variable is Flagboard's.
    var isEmpty: Bool { !variables.keys.contains { $0.hasPrefix(Self.prefix) } }

    func bool(_ name: String) throws -> Bool {
        guard let text = self[name] else { return false }
        guard let value = BooleanWord.value(text) else {
            throw ValidationError("FLAGBOARD_\(name) is \"\(text)\", but must be true or false.")
        }
        return value
    }

    func lines(_ name: String) -> [String] {
        (self[name] ?? "").split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Returns how to write several values, if a line may have been meant as such.
    static func advice(onRefused line: String) -> String? {
        line.contains { $0 == "," || $0 == ";" || $0.isWhitespace }
            ? "If these are several values, put each on a line of its own." : nil
    }

    static var current: FlagboardEnvironment { FlagboardEnvironment(ProcessInfo.processInfo.environment) }
}

/// The version of the package, also in `CHANGELOG.md`.
enum FlagboardVersion { static let current = "0.1.0" }
