import ArgumentParser
import FeatureFlags
import Flagboard
import Foundation

struct FlagSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a flag and print its old and new value.",
        discussion: """
            VALUE is parsed by the flag's type, as on the dashboard; - reads it from standard input. For a Boolean, \
            yes, on and 1 mean true, and no, off and 0 mean false. Exits with 3 if the flag doesn't exist (use define \
            to create it), with 5 if the change is refused (lock, constraint or role), and with 6 if the flag has \
            changed in the meantime.
            """)

    @OptionGroup var edit: FlagEdit

    @Argument(help: "The value as text, or - for standard input.")
    var value: String?

    @Option(
        name: .customLong("json-value"), parsing: .unconditional,
        help: ArgumentHelp("The value as JSON.", valueName: "JSON"))
    var jsonValue: String?

    @Option(help: ArgumentHelp("Fail if the flag has a different type.", valueName: "TYPE"))
    var type: FlagType?

    @OptionGroup var place: ValueEdit

    func validate() throws {
        guard (value == nil) != (jsonValue == nil) else {
            throw ValidationError("Enter the value once: as VALUE or with --json-value.")
        }
        _ = try jsonValue.map(Self.json)
    }

    func run() async throws {
        let text = try await edit.target.tellingRefusals {
            try value.map { $0 == "-" ? try Self.standardInput() : $0 }
        }
        var change = place.members
        change["action"] = .scalar(.string("set"))
        change["value"] = try jsonValue.map(Self.json)
        let advice = advice(text)
        try await edit.make { refusal in
            refusal.exit == .noSuchFlag ? advice : nil
        } of: { [change, key = edit.key, type] client in
            try await Self.change(change, text, key, type, client)
        }
    }

    /// Returns the command that defines the flag, of the type that the value looks like.
    private func advice(_ text: String?) -> String {
        let guess: FlagType =
            switch text ?? jsonValue ?? "" {
            case "true", "false": .bool
            case let text where Int(text) != nil: .integer
            case let text where Double(text) != nil: .double
            case let text where BooleanWord.value(text) != nil: .bool
            default: .string
            }
        let line = FlagboardLine(
            command: "define", arguments: [edit.target.served.file, edit.key.key.text],
            options: [("type", (type ?? guess).rawValue)])
        return "To create a flag with this key path: \(line.text ?? "flagboard define")"
    }

    /// Reads the flag first to check its type.
    private static func change(
        _ members: [String: JSONValue], _ text: String?, _ key: KeyArgument, _ type: FlagType?,
        _ client: FlagboardClient
    ) async throws -> [String: JSONValue] {
        var members = members
        members["text"] = text.map { .scalar(.string($0)) }
        guard let type else { return members }
        let flag = ShownFlag(try await client.get(key.path).json)
        guard flag.type == type.rawValue else {
            throw CommandRefusal(
                "\(flag.key) has the type \(flag.type), not \(type.rawValue). Nothing was changed.", exit: .refused)
        }
        return members
    }

    private static func json(_ text: String) throws -> JSONValue {
        do {
            return try FlagJSON.document(text)
        } catch {
            throw ValidationError("--json-value: \(error.description).")
        }
    }

    /// Returns standard input without its last line end.
    private static func standardInput() throws -> String {
        let most = Dashboard.largestBatchSize
        let data = try StandardInput.content(upTo: most + 1)
        guard data.count <= most else { throw CommandRefusal.tooLarge(most) }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ValidationError("Standard input is not UTF-8. Nothing was changed.")
        }
        // For Swift, a carriage return with its line feed is one character.
        return text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text
    }
}

struct FlagReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract:
            "Reset a flag: remove a provider's value and fall back to the next provider or the default.")

    @OptionGroup var edit: FlagEdit
    @OptionGroup var place: ValueEdit

    func run() async throws {
        let change = place.members.merging(["action": .scalar(.string("reset"))]) { $1 }
        try await edit.make { _ in change }
    }
}

struct FlagLock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a flag, so that it can't be changed until an admin unlocks it.")

    @OptionGroup var edit: FlagEdit

    func run() async throws { try await edit.make { _ in ["action": .scalar(.string("lock"))] } }
}

struct FlagUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock a flag.")

    @OptionGroup var edit: FlagEdit

    func run() async throws { try await edit.make { _ in ["action": .scalar(.string("unlock"))] } }
}
