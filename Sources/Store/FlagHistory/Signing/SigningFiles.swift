import Foundation

/// The files beside a history that prove it: all three are moved, copied and kept together.
public struct SigningFiles: Hashable, Sendable {
    /// The private key: `flags.history.key` beside `flags.history.sqlite`.
    public let key: URL
    /// The checkpoints: `flags.history.checkpoints`.
    public let checkpoints: URL
    /// The name that both begin with: the history's own, without `.sqlite`.
    let stem: String

    /// Names them.
    ///
    /// - Parameter history: The history.
    public init(of history: URL) {
        let name = history.lastPathComponent
        let folder = history.deletingLastPathComponent()
        stem = name.hasSuffix(".sqlite") ? String(name.dropLast(".sqlite".count)) : name
        key = folder.appending(path: "\(stem).key")
        checkpoints = folder.appending(path: "\(stem).checkpoints")
    }
}
