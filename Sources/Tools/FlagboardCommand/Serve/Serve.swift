import ArgumentParser
import DurableFiles
import FlagChanges
import Flagboard
import Foundation
import Logging
import ServiceLifecycle

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the dashboard on a values file.",
        discussion: """
            Every option can come from the environment too: --port from FLAGBOARD_PORT, --read-only from \
            FLAGBOARD_READ_ONLY=true, and so on. The command line wins.
            """)

    enum Access: String, CaseIterable, ExpressibleByArgument {
        case token, open
    }

    @OptionGroup var served: ServedFileOptions

    @OptionGroup var provided: ProviderOptions

    @Option(help: ArgumentHelp("The address to bind (default: 127.0.0.1).", valueName: "H"))
    var host: String?

    @Option(help: ArgumentHelp("The port; 0 picks a free one (default: 8080).", valueName: "P"))
    var port: Int?

    @Option(help: "Who is let in: people with a token (default), or with open every program on this machine.")
    var access: Access?

    @Option(help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"))
    var tokens: String?

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            "A name that browsers reach the server by, with another port as NAME:PORT, and behind a proxy that encrypts as https://NAME. May be given several times.",
            valueName: "NAME"))
    var allowedHosts: [String] = []

    @Option(help: ArgumentHelp("Encrypt: the certificate, with those of its issuers, in PEM.", valueName: "F"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("Encrypt: the certificate's private key, in PEM.", valueName: "F"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "How many programs and windows may listen to changes at once (default: 64, and 16 of one person).",
            valueName: "N"))
    var maxStreams: Int?

    @Option(
        help: ArgumentHelp(
            "A text at the top of every page, to tell environments apart: in red, amber, green, blue, violet or gray.",
            valueName: "TEXT[:COLOUR]"),
        transform: BannerOption.init(argument:))
    var banner: BannerOption?

    @Option(
        help: ArgumentHelp(
            "A folder of Swift source code: each flag's page shows where it is used.", valueName: "DIR"),
        completion: .directory)
    var source: String?

    @Option(
        help: ArgumentHelp(
            "A folder with Templates and Public, in place of the pages inside the program: what is edited there shows on the next page.",
            valueName: "DIR"),
        completion: .directory)
    var resources: String?

    @OptionGroup var publishing: PublishOptions

    @Flag(help: "Make FILE, without any value, where there is none; a file that is there is never replaced.")
    var create = false

    @Flag(help: "Refuse every change.")
    var readOnly = false

    @Flag(help: "Show internal flags, and let them be changed.")
    var showInternal = false

    @Flag(help: "Don't open a browser.")
    var noBrowser = false

    @Flag(help: "Print as JSON.")
    var json = false

    @Option(help: "How to log to standard error: text (default), or json for one object a line.")
    var logFormat: LogFormat?

    @Option(help: "What to log: this level and worse (default: warning).")
    var logLevel: Logger.Level?

    /// The refusal of a variable of the environment.
    @TaskLocal static var refusal: ValidationError?

    /// Checks the settings here, so that an error shows this command's usage.
    func validate() throws {
        if let refusal = Self.refusal { throw refusal }
        _ = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
    }

    func run() async throws {
        let settings = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
        do {
            try await DashboardProcess(settings: settings).run()
        } catch let failure as PlainError {
            settings.log.tell(failure)
            throw ExitCode.failure
        }
    }
}
