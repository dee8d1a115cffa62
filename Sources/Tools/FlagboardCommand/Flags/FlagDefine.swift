import ArgumentParser
import FeatureFlags
import Foundation

struct FlagDefine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "define", abstract: "Define a flag: its type, default and metadata.",
        discussion: """
            Requires the admin role. Creates the manifest if it doesn't exist. Fails with exit code 5 if the flag is \
            already defined, or if the definition would make a stored value invalid without --breaks-values. With --json, \
            prints the outcome in the format of POST /api/v1/batches.
            """)

    @OptionGroup var edit: FlagEdit

    @Option(help: ArgumentHelp("The flag's type.", valueName: "TYPE"))
    var type: FlagType

    @Option(
        name: .customLong("default"), parsing: .unconditional,
        help: ArgumentHelp("The default, in the format that set accepts.", valueName: "VALUE"))
    var fallback: String?

    @Option(help: ArgumentHelp("The display name.", valueName: "TEXT"))
    var name: String?

    @Option(help: ArgumentHelp("The description.", valueName: "TEXT"))
    var description: String?

    @Option(
        help: ArgumentHelp(
            "The path of the group to show the flag in, if not the group in its key path.", valueName: "GROUP"),
        completion: FlagCompletion.groups)
    var group: String?

    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag. Can be repeated.", valueName: "TAG"),
        completion: FlagCompletion.tags)
    var tags: [String] = []

    @Option(
        help: ArgumentHelp("The person or team responsible for the flag.", valueName: "NAME"),
        completion: FlagCompletion.owners)
    var owner: String?

    @Option(help: ArgumentHelp("The date by which the flag should be removed, such as 2030-01-31.", valueName: "DATE"))
    var expires: String?

    @Option(
        name: .customLong("choice"),
        help: ArgumentHelp("An allowed value of a choice. Can be repeated.", valueName: "TEXT"))
    var choices: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("The minimum.", valueName: "N"))
    var minimum: NumberArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum.", valueName: "N"))
    var maximum: NumberArgument?

    @Option(
        help: ArgumentHelp("A regular expression that the whole text must match.", valueName: "PATTERN"))
    var pattern: String?

    @Option(
        help: ArgumentHelp(
            "The app's number type, such as uint8. Values outside its range are refused.",
            valueName: "FORMAT"))
    var format: FlagFormat?

    @ArgumentParser.Flag(help: "Changes apply after the app restarts.")
    var requiresRestart = false

    @ArgumentParser.Flag(help: "Define the flag even if that makes stored values invalid.")
    var breaksValues = false

    @ArgumentParser.Flag(help: "Show the result without changing anything.")
    var plan = false

    func validate() throws { _ = try definition() }

    func run() async throws {
        var change: [String: JSONValue] = [
            "action": .scalar(.string("define")), "definition": .object(try definition()),
        ]
        if breaksValues { change["breaksValues"] = .scalar(.bool(true)) }
        try await edit.make(plan: plan) { refusal in
            refusal.document?["problems"]?["breaksValues"] == nil ? nil : "To confirm it, add --breaks-values."
        } of: { [change] _ in
            change
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
        let rules = type.rules
        switch rules.field {
        case .toggle:
            guard let value = BooleanWord.value(text) else { throw unfit(text, "true or false") }
            return .scalar(.bool(value))
        case _ where rules.isText || rules.form == .choice: return .scalar(.string(text))
        default:
            do {
                return try FlagJSON.document(text)
            } catch {
                throw unfit(text, "\(type.rawValue) as JSON")
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
