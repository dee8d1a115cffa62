import ArgumentParser
import Foundation

struct FlagboardEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    subscript(name: String) -> String? {
        variables["FLAGBOARD_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func integer(_ name: String) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw ValidationError("FLAGBOARD_\(name) is \"\(text)\", not a number.") }
        return number
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("FLAGBOARD_\(name) is \"\(text)\"; it must be one of \(words).")
        }
        return choice
    }

    func bool(_ name: String) throws -> Bool {
        guard let text = self[name] else { return false }
        guard let value = BooleanWord.value(text) else {
            throw ValidationError("FLAGBOARD_\(name) is \"\(text)\"; it must be true or false.")
        }
        return value
    }

    func lines(_ name: String) -> [String] {
        (self[name] ?? "").split(whereSeparator: \.isNewline).map(String.init)
    }

    static var current: FlagboardEnvironment { FlagboardEnvironment(ProcessInfo.processInfo.environment) }
}

/// Words for true and false on a command line; forms and programs write only true and false.
enum BooleanWord {
    /// Returns the value of a word; `nil` for any other text.
    static func value(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}

/// The version of the package, also in `CHANGELOG.md`.
enum FlagboardVersion { static let current = "0.1.0" }
