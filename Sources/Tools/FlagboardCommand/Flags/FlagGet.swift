import ArgumentParser
import FeatureFlags

struct FlagGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a flag's value.",
        discussion: """
            Text is printed without quotation marks, dates as ISO 8601, data as base64, and arrays, dictionaries and \
            JSON as JSON. Exits with 3 if the flag doesn't exist and with 1 if it has no value. If a provider is \
            broken, prints its last good value and a warning on standard error. With --json, prints the document of \
            GET /api/v1/flags/KEY; with --provider as well, "value" and "source" are those of that provider.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The flag's key path.")
    var key: KeyArgument

    @Option(
        help: ArgumentHelp("Print this provider's value instead of the effective value.", valueName: "NAME"),
        completion: FlagCompletion.providers)
    var provider: String?

    @Option(help: ArgumentHelp("Fail if the flag has a different type.", valueName: "TYPE"))
    var expect: FlagType?

    @ArgumentParser.Flag(
        name: [.customShort("n"), .customLong("no-newline")], help: "Don't print a newline after the value.")
    var omitsLineEnd = false

    func run() async throws {
        try await target.run(to: .looking) { client in
            let answer = try await client.get(key.path, [("provider", provider)])
            let flag = ShownFlag(try answer.json)
            if let expect, flag.type != expect.rawValue {
                throw CommandRefusal("\(flag.key) has the type \(flag.type), not \(expect.rawValue).")
            }
            guard let provider else {
                flag.cautions.forEach(CommandOutput.warn)
                guard try !target.printsJSON else {
                    try CommandOutput.print(answer.text)
                    if flag.value == nil { throw ExitCode.failed }
                    return
                }
                return try print(flag.value, of: flag)
            }
            let name = try await shownName(of: provider, flag, client)
            let lastGood = flag.lastGood(in: name)
            if lastGood != nil { flag.caution(of: name).map(CommandOutput.warn) }
            let value = lastGood ?? flag.value(in: name)
            if let value, try target.printsJSON {
                return try CommandOutput.print(FlagJSON.line(flag.document(of: name, value)))
            }
            try print(value, of: flag)
        }
    }

    /// Translates the provider's name in the app's code, where an environment's stands in its place.
    private func shownName(of provider: String, _ flag: ShownFlag, _ client: FlagboardClient) async throws -> String {
        if flag.has(provider) { return provider }
        let providers = try await client.get("/api/v1/providers").json["providers"]?.items ?? []
        return providers.first { $0["declaredName"]?.text == provider }?["name"]?.text ?? provider
    }

    private func print(_ value: JSONValue?, of flag: ShownFlag) throws {
        guard let value else {
            if provider == nil, flag.isComputed {
                throw CommandRefusal(
                    "The value of \(flag.key) isn't available: the app computes it at each read, and it isn't stored "
                        + "in a file.")
            }
            let place = provider.map { " in \(Terminal.line($0))" } ?? ""
            let problem = provider.flatMap(flag.problem).map { ", only an invalid one: \(Terminal.message($0))" } ?? ""
            throw CommandRefusal(
                "\(flag.key) has no value\(place)\(problem). Run flagboard explain to see what each provider has.")
        }
        try CommandOutput.print(part: ShownFlag.raw(value) + (omitsLineEnd ? "" : "\n"))
    }
}
