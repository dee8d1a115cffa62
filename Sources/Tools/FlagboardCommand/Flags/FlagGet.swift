import ArgumentParser
import FeatureFlags

struct FlagGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print what a read of a flag returns, as it is.",
        discussion: """
            Text is printed without quotation marks, a date as ISO 8601, data as base64, and what has parts as JSON. The exit code \
            is 3 where there is no such flag, and 1 where it has no value. Where a source is broken, its last good value is printed, \
            and standard error says so. With --json the document of \
            GET /api/v1/flags/KEY is printed; with --provider its "value" and "source" are those of that provider.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The flag's key path.")
    var key: KeyArgument

    @Option(help: ArgumentHelp("What this provider holds, rather than what a read returns.", valueName: "NAME"))
    var provider: String?

    @Option(help: ArgumentHelp("Fail where the flag is of another type than this one.", valueName: "TYPE"))
    var expect: FlagType?

    @ArgumentParser.Flag(
        name: [.customShort("n"), .customLong("no-newline")], help: "Print no line end after the value.")
    var omitsLineEnd = false

    func run() async throws {
        try await target.run(to: .looking) { client in
            let answer = try await client.get(key.path, [("provider", provider)])
            let flag = ShownFlag(try answer.json)
            if let expect, flag.type != expect.rawValue {
                throw CommandRefusal("\(flag.key) is of the type \(flag.type), not \(expect.rawValue).")
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
            let lastGood = flag.lastGood(in: provider)
            if lastGood != nil { flag.caution(of: provider).map(CommandOutput.warn) }
            let value = lastGood ?? flag.value(in: provider)
            if let value, try target.printsJSON {
                return try CommandOutput.print(FlagJSON.line(flag.document(of: provider, value)))
            }
            try print(value, of: flag)
        }
    }

    private func print(_ value: JSONValue?, of flag: ShownFlag) throws {
        guard let value else {
            if provider == nil, flag.isComputed {
                throw CommandRefusal(
                    "The value of \(flag.key) is not known: the app computes it at each read, and no file holds it.")
            }
            let place = provider.map { " in \(Terminal.line($0))" } ?? ""
            let problem = provider.flatMap(flag.problem).map { ", but what is none: \(Terminal.message($0))" } ?? ""
            throw CommandRefusal(
                "\(flag.key) has no value\(place)\(problem). flagboard explain tells what each source says.")
        }
        try CommandOutput.print(part: ShownFlag.raw(value) + (omitsLineEnd ? "" : "\n"))
    }
}
