import ArgumentParser

/// `flagboard generate`: code made from the definitions.
struct Generate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make code from the definitions.", subcommands: [GenerateSwift.self])
}
