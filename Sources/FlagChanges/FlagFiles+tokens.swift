import Foundation

extension FlagFiles {
    /// Where the named tokens of whoever may use a dashboard are kept by default: beside the values file and named after it,
    /// `flags.tokens.json`.
    public var tokens: URL {
        let stem = values.deletingPathExtension().lastPathComponent
        return values.deletingLastPathComponent().appending(path: "\(stem).tokens.json")
    }
}
