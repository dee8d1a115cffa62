import ArgumentParser
import FlagChanges
import Foundation

/// A kind of source for `serve --provider NAME=SOURCE` that isn't a file; ``ProviderOptions/kinds`` lists them.
///
/// Its flags are kept in a file of this machine, which is served like any other.
protocol FollowedProvider: Sendable {
    /// The sources' possible starts in lower case, such as `https://`; the help shows the first.
    static var prefixes: [String] { get }
    /// A sentence for the help of `--provider`.
    static var help: String { get }
    /// The word for the kind in the kept file's name: `replica` for `flags.NAME.replica.xml`.
    static var fileWord: String { get }
    /// The options that it reads; `nil` for none.
    static var settings: ProviderSettings? { get }
    /// The refusals of a kind that brings the definitions, too; `nil` if the manifest has them.
    static var definitions: DefiningRefusals? { get }

    /// Reads the settings of one provider.
    ///
    /// - Parameters:
    ///   - source: The text after `NAME=`.
    ///   - copy: The file to keep the flags in.
    /// - Throws: `ValidationError` for an invalid setting.
    init(_ source: String, keptIn copy: URL, of files: FlagFiles, _ options: ProviderOptions) throws

    /// Warnings to log at the start.
    var cautions: [String] { get }

    func follower(_ log: @escaping @Sendable (String) -> Void) throws -> any FlagFollower
}

extension FollowedProvider {
    static var settings: ProviderSettings? { nil }
    static var definitions: DefiningRefusals? { nil }
    var cautions: [String] { [] }
}

/// The options that some kinds read.
struct ProviderSettings {
    let options: [KeyPath<ProviderOptions, String?>]
    /// The refusal if no provider reads them.
    let refusal: String
}

/// The refusals of a kind that brings the definitions.
struct DefiningRefusals {
    let ofEnvironment: String
    let ofSecond: String
}

/// Keeps the file of a followed provider up to date, and logs when that fails and works again.
protocol FlagFollower: Sendable {
    var status: SourceStatus { get }
    /// Gets the flags, or accepts the file if that fails.
    func start() async throws
    /// Follows the source until the task is cancelled, and calls `changed` if the status, but no file, has changed.
    func run(changed: @escaping @Sendable () async -> Void) async
}

/// A followed provider, by its name.
struct NamedProvider: Sendable {
    let name: String
    /// The server that defines the flags; `nil` if the manifest does.
    let definingServer: String?
    let settings: any FollowedProvider
}

extension ProviderOptions {
    /// Returns the kind of a source; `nil` for a file.
    static func kind(of source: String) -> (any FollowedProvider.Type)? {
        let start = source.lowercased()
        func length(_ kind: any FollowedProvider.Type) -> Int {
            kind.prefixes.filter(start.hasPrefix).map(\.count).max() ?? 0
        }
        return kinds.filter { length($0) > 0 }.max { length($0) < length($1) }
    }

    /// Returns the file that the flags of a source are kept in.
    static func copy(of name: String, _ kind: any FollowedProvider.Type, beside files: FlagFiles) -> URL {
        let label = name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_".unicodeScalars.contains(scalar)
                ? String(scalar) : String(format: "%%%02X", scalar.value)
        }.joined()
        let stem = files.values.deletingPathExtension().lastPathComponent
        return files.values.deletingLastPathComponent().appending(path: "\(stem).\(label).\(kind.fileWord).xml")
    }

    /// Reads the settings of all followed providers.
    ///
    /// - Throws: `ValidationError` for an invalid setting, also if there is no provider for it.
    func followed(in files: FlagFiles) throws -> [NamedProvider] {
        let sources = files.providers.compactMap { provider in
            provider.origin.flatMap { source in Self.kind(of: source).map { (name: provider.name, source, kind: $0) } }
        }
        let defining = sources.compactMap { $0.kind.definitions }
        if defining.count > 1 { throw ValidationError(defining[1].ofSecond) }
        let read = sources.flatMap { $0.kind.settings?.options ?? [] }
        for settings in Self.kinds.compactMap({ $0.settings })
        where settings.options.contains(where: { self[keyPath: $0] != nil && !read.contains($0) }) {
            throw ValidationError(settings.refusal)
        }
        return try sources.map { name, source, kind in
            NamedProvider(
                name: name, definingServer: kind.definitions == nil ? nil : source,
                settings: try kind.init(source, keptIn: Self.copy(of: name, kind, beside: files), of: files, self))
        }
    }
}
