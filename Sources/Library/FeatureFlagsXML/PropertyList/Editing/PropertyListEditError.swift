import FeatureFlags

/// Why an edit of a property list was refused; the document is as it was.
///
/// ```swift
/// let list = try PropertyListDocument(root: ["delivery": 4.9])
/// do {
///     _ = try list.setting("fast", at: FlagKeyPath(components: ["delivery", "fee"]))
/// } catch {
///     print(error, error.isBlocked)  // a value above it is no group
/// }
/// ```
public struct PropertyListEditError: Error, Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        case blocked(BlockedPathError, SourceLocation?)
        case notStorable(String)
        case unsafe(String)
    }

    /// The key path that the edit was for.
    public let key: FlagKeyPath?
    private let cause: Cause

    init(_ cause: Cause, key: FlagKeyPath?) {
        self.cause = cause
        self.key = key
    }

    /// Whether the path passes through something that is no dictionary, which an edit never overwrites.
    public var isBlocked: Bool {
        if case .blocked = cause { true } else { false }
    }

    /// Whether a property list can't store the value or its key.
    public var isNotStorable: Bool {
        if case .notStorable = cause { true } else { false }
    }

    /// Whether the edit would have changed more than was asked, or broken the file.
    public var isUnsafe: Bool {
        if case .unsafe = cause { true } else { false }
    }
}

extension PropertyListEditError: CustomStringConvertible {
    /// The key, the cause, and what to do.
    public var description: String {
        let start = "\(key?.text ?? "the flags") can't be changed"
        switch cause {
        case .blocked(let block, let location):
            let place = location.map { " (line \($0.line))" } ?? ""
            return "\(start): \(block.text)\(place), not a <dict>; remove or rename that first"
        case .notStorable(let reason):
            return "\(start): \(reason)"
        case .unsafe(let reason):
            return "\(start): the edit would have changed more than was asked (\(reason)); edit the file by hand, "
                + "and please report it as a bug"
        }
    }
}
