import ArgumentParser
import FeatureFlags
import FlagChanges
import Foundation

struct FlagFileOptions: ParsableArguments {
    @OptionGroup var served: ServedFileOptions

    @OptionGroup var also: OtherFileOptions

    @ArgumentParser.Flag(help: "Print as JSON.")
    var json = false

    func validate() throws { _ = try files }

    /// A running server may know more.
    var files: FlagFiles { get throws { try also.files(served, .current) } }

    var printsJSON: Bool { get throws { try json || FlagboardEnvironment.current.bool("JSON") } }

    /// Reports failures as ``tellingRefusals(_:)`` does.
    func run<Value: Sendable>(
        to use: FlagboardSession.Use, _ body: @Sendable (FlagboardClient) async throws -> Value
    ) async throws -> Value {
        try await tellingRefusals {
            let session = FlagboardSession(
                files: try files, use: use, token: FlagboardEnvironment.current["TOKEN"],
                patience: try served.patience)
            return try await session.run(body)
        }
    }

    /// Reports a failure, and ends with its exit code.
    func tellingRefusals<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as CommandRefusal {
            throw CommandOutput.failure(refusal)
        } catch let exit as ExitCode {
            throw exit
        } catch let error as ValidationError {
            throw error
        } catch {
            throw CommandOutput.failure(error)
        }
    }
}

struct KeyArgument: ExpressibleByArgument {
    let key: FlagKeyPath

    init?(argument: String) {
        guard let key = FlagKeyPath(text: argument) else { return nil }
        self.key = key
    }

    static var defaultCompletionKind: CompletionKind { FlagCompletion.keys }

    var path: String { "/api/v1/flags/\(key.text.percentEncoded())" }
}
