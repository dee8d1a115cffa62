import ArgumentParser
import DurableFiles
import FlagChanges
import Flagboard
import Foundation
import Logging
import ServiceLifecycle

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start the dashboard for a values file.",
        discussion: """
            Every option can also be set in the environment, such as FLAGBOARD_PORT for --port and \
            FLAGBOARD_READ_ONLY=true for --read-only. An option that can be repeated takes one value per line. The command \
            line takes precedence.
            """)

    enum Access: String, CaseIterable, ExpressibleByArgument {
        case token, open
    }

    @OptionGroup var served: ServedFileOptions

    @OptionGroup var provided: ProviderOptions

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "H"))
    var host: String?

    @Option(help: ArgumentHelp("The port; 0 picks a free one (default: 8080).", valueName: "P"))
    var port: Int?

    @Option(help: "Who has access: token for people with a token (default), open for every program on this machine.")
    var access: Access?

    @Option(
        help: ArgumentHelp("The tokens (default: beside FILE, FILE's name with .tokens.json).", valueName: "F"),
        completion: .file())
    var tokens: String?

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp(
            """
            A host name that browsers use for the server: NAME:PORT for another port, https://NAME behind a proxy that \
            encrypts. Can be repeated.
            """,
            valueName: "NAME"))
    var allowedHosts: [String] = []

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            """
            The address that browsers use, if a proxy passes requests on: https://flags.example.com, or \
            https://example.com/flags for a part of a site.
            """,
            valueName: "URL"))
    var publicURL: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            """
            A proxy's address, or a range such as 10.0.0.0/8. Its X-Forwarded-For and X-Forwarded-Proto are used; those of \
            anyone else are ignored. Can be repeated.
            """,
            valueName: "CIDR"))
    var trustedProxies: [String] = []

    @Option(
        name: .customLong("cors-origin"),
        help: ArgumentHelp(
            """
            An origin, such as https://app.example.com, whose pages may read flags through the API and OFREP. Can be \
            repeated.
            """,
            valueName: "ORIGIN"))
    var corsOrigins: [String] = []

    @Option(
        help: ArgumentHelp("Use TLS with this certificate and its chain, in PEM.", valueName: "F"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The private key of the TLS certificate, in PEM.", valueName: "F"),
        completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The maximum number of open event streams (default: 64 in total, 16 per person).",
            valueName: "N"))
    var maxStreams: Int?

    @Option(
        help: ArgumentHelp(
            """
            A label at the top of every page, to distinguish environments. Colours: red, amber, green, blue, violet, \
            gray.
            """,
            valueName: "TEXT[:COLOUR]"),
        transform: BannerOption.init(argument:))
    var banner: BannerOption?

    @Option(
        help: ArgumentHelp(
            """
            FILE's environment, such as Production:red. Its provider gets this name, and every page shows it at the \
            top. Colours: red, amber, green, blue, violet, gray.
            """,
            valueName: "NAME[:COLOUR]"),
        transform: BannerOption.environment)
    var environment: BannerOption?

    @Flag(help: "Refuse changes to FILE without a reason.")
    var requireReason = false

    @Flag(help: "Refuse changes to FILE that aren't confirmed with its environment's name.")
    var confirmChanges = false

    @Option(
        help: ArgumentHelp(
            "A Swift source folder. Each flag's page shows where the code uses the flag.", valueName: "DIR"),
        completion: .directory)
    var source: String?

    @Option(
        help: ArgumentHelp(
            """
            A folder with Templates and Public to use instead of the built-in pages. Edits show on the next page load.
            """,
            valueName: "DIR"),
        completion: .directory)
    var resources: String?

    @OptionGroup var publishing: PublishOptions

    @Flag(help: "Create FILE without values if it doesn't exist. An existing file is never overwritten.")
    var create = false

    @Flag(
        help: ArgumentHelp(
            """
            Create FILE and its manifest with demo flags. Existing files are never overwritten.
            """))
    var demo = false

    @Flag(help: "Refuse every change.")
    var readOnly = false

    @Flag(help: "Show internal flags and allow changes to them.")
    var showInternal = false

    @Flag(help: "Let admins use the dashboard to add webhooks that reach this machine or a private network.")
    var allowPrivateWebhooks = false

    @Flag(help: "Don't open a browser.")
    var noBrowser = false

    @Flag(help: "Print the address as JSON.")
    var json = false

    @Option(help: "The log format on standard error: text (default), or json with one object per line.")
    var logFormat: LogFormat?

    @Option(help: "The lowest level to log (default: warning).")
    var logLevel: Logger.Level?

    /// The refusal of a variable of the environment.
    @TaskLocal static var refusal: ValidationError?

    /// Checked here, so that an error shows this command's usage.
    func validate() throws {
        if let refusal = Self.refusal { throw refusal }
        _ = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
    }

    func run() async throws {
        let settings = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
        do {
            try await DashboardProcess(settings: settings).run()
        } catch let failure as PlainError {
            CommandOutput.tellPrograms(failure.description, .failed)
            settings.log.tell(failure)
            throw ExitCode.failure
        }
    }
}
