import ArgumentParser
import FeatureFlags
import FlagChanges
import Foundation

struct FlagDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two files, two providers, or two points in time.",
        discussion: """
            With OTHER, compares two values files, using the definitions of FILE. Without it, compares two sides of \
            FILE: providers by name, default, or effective (resolved values). With --at, the left side is the state at \
            that time. With --json, prints the document of GET /api/v1/compare: {"flags": [{"key", "type", \
            "difference", "left", "right"}], …}.
            """)

    @OptionGroup var target: FlagFileOptions

    @Argument(help: "The other values file.", completion: .file())
    var other: String?

    @Option(
        help: ArgumentHelp("The left side (default: the first provider; with --at, effective).", valueName: "SIDE"))
    var left: String?

    @Option(
        help: ArgumentHelp(
            "The right side (default: the next provider; with --at, the left side).", valueName: "SIDE"))
    var right: String?

    @Option(help: ArgumentHelp("Use the left side's state on this day or at this time (UTC).", valueName: "DATE"))
    var at: String?

    @ArgumentParser.Flag(help: "Exit with 1 if there are differences.")
    var exitCode = false

    func validate() throws {
        if other != nil, left != nil || right != nil || at != nil {
            throw ValidationError("OTHER is the right side. Use --left, --right and --at only without OTHER.")
        }
    }

    func run() async throws {
        let differs: Bool
        if let other {
            differs = try await target.tellingRefusals { try await compare(with: other) }
        } else {
            let query = [("left", left), ("right", right), ("time", at)]
            differs = try await target.run(to: .looking) { client in
                try print(try await client.get("/api/v1/compare", query).json)
            }
        }
        if exitCode, differs { throw ExitCode.failed }
    }

    /// The files may be served or not.
    private func compare(with other: String) async throws -> Bool {
        let files = try target.served.files(.current)
        let right = FlagFiles.Provider(name: "file \(other)", url: URL(filePath: other), isWritable: false)
        var manifest: URL? = files.requiresManifest ? files.manifest : nil
        let their = FlagFiles(values: right.url, manifest: manifest)
        // A file without definitions is read by those of the other.
        let hasManifest = FileManager.default.fileExists(atPath: files.manifest.path(percentEncoded: false))
        if !hasManifest, FileManager.default.fileExists(atPath: their.manifest.path(percentEncoded: false)) {
            manifest = their.manifest
        }
        let both = FlagFiles(
            values: files.values, manifest: manifest, history: files.history, tokens: files.tokens, others: [right],
            maximumFileSize: files.maximumFileSize)
        let sides = [("left", FlagFiles.localProviderName), ("right", right.name)]
        let document = try await alone(both) { client in try await client.get("/api/v1/compare", sides).json }
        let shown = try await alone(their) { client in try await client.get("/api/v1/flags").json }
        // Leaves out flags that are internal in the other file, too; what one file calls a flag may be a group in the other.
        let flags = Set(
            (shown["flags"]?.items ?? []).compactMap { $0["key"]?.text.flatMap(FlagKeyPath.init(text:)) })
        let isAllShown = !FileManager.default.fileExists(atPath: their.manifest.path(percentEncoded: false))
        func isShown(_ key: FlagKeyPath, _ value: JSONValue?) -> Bool {
            if isAllShown || flags.contains(key) || key.ancestors.contains(where: flags.contains) { return true }
            guard case .object(let members)? = value, !members.isEmpty else { return false }
            return members.allSatisfy { isShown(FlagKeyPath(components: key.components + [$0.key]), $0.value) }
        }
        guard case .object(var members) = document else { return try print(document) }
        members["flags"] = .array(
            (document["flags"]?.items ?? []).filter { flag in
                let hasRight = flag["right"] != nil || flag["rightProblem"] != nil
                return !hasRight
                    || flag["key"]?.text.flatMap(FlagKeyPath.init(text:)).map { isShown($0, flag["right"]) } ?? false
            })
        members["right"] = .scalar(.string(other))
        members["left"] = .scalar(.string(target.served.file))
        return try print(.object(members))
    }

    private func alone(
        _ files: FlagFiles, _ body: @Sendable (FlagboardClient) async throws -> JSONValue
    ) async throws -> JSONValue {
        var session = FlagboardSession(
            files: files, use: .looking, token: nil, patience: try target.served.patience)
        session.isAlone = true
        return try await session.run(body)
    }

    /// Returns `true` if anything differs.
    private func print(_ document: JSONValue) throws -> Bool {
        let flags = document["flags"]?.items ?? []
        ShownChange.warnOfAlteredRows(in: document)
        flags.flatMap(Self.cautions).forEach(CommandOutput.warn)
        if try target.printsJSON {
            try CommandOutput.print(FlagJSON.line(document))
        } else if !flags.isEmpty {
            try CommandOutput.print(flags.map(Self.line).joined(separator: "\n"))
        }
        return !flags.isEmpty
    }

    /// A sentence for each side with the last good value of a broken source.
    private static func cautions(_ flag: JSONValue) -> [String] {
        ["left", "right"].filter { flag["\($0)Stale"]?.isTrue == true }.map { side in
            let problem = (flag["\(side)Problem"]?.text ?? "").withoutFullStop
            return
                "\(Terminal.line(flag["key"]?.text ?? "")): \(Terminal.line(problem)). Using the last good value on "
                + "the \(side) side (stale)."
        }
    }

    private static func line(_ flag: JSONValue) -> String {
        let side = { (name: String) in
            flag[name].map(ShownFlag.line) ?? flag["\(name)Problem"]?.text.map { "broken: \(Terminal.message($0))" }
                ?? (flag["\(name)Computed"]?.isTrue == true ? "computed by the app" : "no value")
        }
        return "\(Terminal.line(flag["key"]?.text ?? "")): \(side("left")) → \(side("right"))"
    }
}
