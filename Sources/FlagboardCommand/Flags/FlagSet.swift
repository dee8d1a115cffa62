import ArgumentParser
import FeatureFlags
import Foundation

/// `flagboard set FILE KEY VALUE`.
struct FlagSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a flag, and print what it was and is.",
        discussion: """
            VALUE is read as the flag's type, as on the dashboard; - reads it from standard input. The exit code is 3 where \
            there is no such flag, 5 where the change is refused (a lock, a constraint, a role), and 6 where the flag was changed \
            meanwhile.
            """)

    @OptionGroup var edit: FlagEdit

    @Argument(help: "The value as text; - for standard input.")
    var value: String?

    @Option(name: .customLong("json-value"), help: ArgumentHelp("The value as JSON.", valueName: "JSON"))
    var jsonValue: String?

    @Option(help: ArgumentHelp("Refuse where the flag is of another type than this one.", valueName: "TYPE"))
    var type: FlagType?

    @OptionGroup var place: ValueEdit

    func validate() throws {
        guard (value == nil) != (jsonValue == nil) else {
            throw ValidationError("Give the value once: as VALUE, or with --json-value.")
        }
        _ = try jsonValue.map(Self.json)
    }

    func run() async throws {
        var members = place.members
        members["action"] = .scalar(.string("set"))
        members["value"] = try jsonValue.map(Self.json)
        members["text"] = try value.map { .scalar(.string($0 == "-" ? try Self.standardInput() : $0)) }
        try await edit.make(members) { [type, key = edit.key] client in
            guard let type else { return }
            let flag = ShownFlag(try await client.get(key.path).json)
            guard flag.type == type.rawValue else {
                throw CommandRefusal(
                    "\(flag.key) is of the type \(flag.type), not \(type.rawValue): nothing was changed.",
                    exit: .refused)
            }
        }
    }

    private static func json(_ text: String) throws -> JSONValue {
        do {
            return try FlagJSON.document(text)
        } catch {
            throw ValidationError("--json-value: \(error.description).")
        }
    }

    /// What standard input holds, less the line end that ends it.
    private static func standardInput() throws -> String {
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ValidationError("Standard input is not UTF-8; nothing was changed.")
        }
        // Swift takes a carriage return with its line feed for one character.
        return text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
    }
}

/// `flagboard reset FILE KEY`.
struct FlagReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Remove a provider's value, so that the flag falls back to its next source.")

    @OptionGroup var edit: FlagEdit
    @OptionGroup var place: ValueEdit

    func run() async throws {
        try await edit.make(place.members.merging(["action": .scalar(.string("reset"))]) { $1 })
    }
}

/// `flagboard lock FILE KEY`.
struct FlagLock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a flag: no tool changes its value any more.")

    @OptionGroup var edit: FlagEdit

    func run() async throws { try await edit.make(["action": .scalar(.string("lock"))]) }
}

/// `flagboard unlock FILE KEY`.
struct FlagUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock a flag.")

    @OptionGroup var edit: FlagEdit

    func run() async throws { try await edit.make(["action": .scalar(.string("unlock"))]) }
}
