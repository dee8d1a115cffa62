import ArgumentParser
import FeatureFlags
import Foundation

struct FlagDefine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "define", abstract: "Define a flag: its type, its default, and what people should know of it.",
        discussion: """
            For admins. The manifest is made where there is none. A flag that is defined already is refused (exit code 5), and so \
            is a definition with which a stored value would be broken. With --json the outcome is printed, as POST \
            /api/v1/batches answers it.
            """)

    @OptionGroup var edit: FlagEdit

    @Option(help: ArgumentHelp("What the flag's value is.", valueName: "TYPE"))
    var type: FlagType

    @Option(
        name: .customLong("default"), parsing: .unconditional,
        help: ArgumentHelp("The value where no file holds one, as set takes it.", valueName: "VALUE"))
    var fallback: String?

    @Option(help: ArgumentHelp("A readable name.", valueName: "TEXT"))
    var name: String?

    @Option(help: ArgumentHelp("What it is for.", valueName: "TEXT"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The path of the group that it is shown in, if its key path names another.", valueName: "GROUP"))
    var group: String?

    @Option(name: .customLong("tag"), help: ArgumentHelp("A tag. May be given several times.", valueName: "TAG"))
    var tags: [String] = []

    @Option(help: ArgumentHelp("Who answers for the flag.", valueName: "NAME"))
    var owner: String?

    @Option(help: ArgumentHelp("The day when the flag should be gone, such as 2030-01-31.", valueName: "DATE"))
    var expires: String?

    @Option(
        name: .customLong("choice"),
        help: ArgumentHelp("Of a choice: a value that it may have. May be given several times.", valueName: "TEXT"))
    var choices: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("The least number allowed.", valueName: "N"))
    var minimum: NumberArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("The greatest number allowed.", valueName: "N"))
    var maximum: NumberArgument?

    @Option(
        help: ArgumentHelp("A regular expression that the whole of the text must match.", valueName: "PATTERN"))
    var pattern: String?

    @Option(
        help: ArgumentHelp(
            "The number that the app holds the value in, such as uint8. Values outside its range are refused.",
            valueName: "FORMAT"))
    var format: FlagFormat?

    @ArgumentParser.Flag(help: "A change takes effect when the app restarts.")
    var requiresRestart = false

    @ArgumentParser.Flag(help: "Only tell what would be done.")
    var plan = false

    func validate() throws { _ = try definition() }

    func run() async throws {
        let definition = try definition()
        try await edit.make(plan: plan) { _ in
            ["action": .scalar(.string("define")), "definition": .object(definition)]
        }
    }

    private func definition() throws -> [String: JSONValue] {
        func text(_ text: String) -> JSONValue { .scalar(.string(text)) }
        var members = ["type": text(type.rawValue)]
        members["default"] = try fallback.map(value)
        members["name"] = name.map(text)
        members["description"] = description.map(text)
        members["group"] = group.map(text)
        members["owner"] = owner.map(text)
        members["expires"] = expires.map(text)
        members["pattern"] = pattern.map(text)
        members["format"] = (format?.rawValue).map(text)
        members["minimum"] = minimum?.json
        members["maximum"] = maximum?.json
        if !tags.isEmpty { members["tags"] = .array(tags.map(text)) }
        if !choices.isEmpty { members["choices"] = .array(choices.map(text)) }
        if requiresRestart { members["requiresRestart"] = .scalar(.bool(true)) }
        return members
    }

    private func value(_ text: String) throws -> JSONValue {
        switch type.rules.kinds[0] {
        case "boolean":
            guard let value = BooleanWord.value(text) else { throw unfit(text, "true or false") }
            return .scalar(.bool(value))
        case "string", "date", "data": return .scalar(.string(text))
        default:
            do {
                return try FlagJSON.document(text)
            } catch {
                throw unfit(text, "a value of the type \(type.rawValue) as JSON")
            }
        }
    }

    private func unfit(_ text: String, _ wanted: String) -> ValidationError {
        ValidationError("--default: \"\(text)\" is not \(wanted).")
    }
}

struct NumberArgument: ExpressibleByArgument {
    let json: JSONValue

    init?(argument: String) {
        do {
            json = try FlagJSON.document(argument)
        } catch {
            return nil
        }
        switch json {
        case .scalar(.integer), .scalar(.double): break
        default: return nil
        }
    }
}
