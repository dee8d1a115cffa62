import FeatureFlags

/// What is to become of an entry of a dictionary or an element of an array.
struct PropertyListChange {
    enum Kind {
        /// It holds a value as a property list stores it, whether it was there before or not; for entries alone.
        case set(FlagValue)
        case remove
        /// An element of an array comes in its place, and moves it and those behind it by one.
        case insert(FlagValue)
    }

    /// The steps from the root down to it.
    let path: [PathStep]
    let kind: Kind

    var isRemoval: Bool {
        if case .remove = kind { true } else { false }
    }
}

extension FlagValue {
    /// Makes a change in this value; dictionaries that are missing on the way are made when setting.
    ///
    /// Each value on the way is changed in place, so that many changes don't copy a large dictionary as often.
    ///
    /// - Parameters:
    ///   - kind: What becomes of it.
    ///   - path: The steps from this value down to it.
    mutating func make(_ kind: PropertyListChange.Kind, at path: ArraySlice<PathStep>) {
        guard let step = path.first else { return }
        let rest = path.dropFirst()
        switch step {
        case .key(let name):
            guard case .dictionary(var entries) = self else { return }
            self = .bool(false)
            Self.make(kind, of: name, rest, in: &entries)
            self = .dictionary(entries)
        case .index(let index):
            guard case .array(var elements) = self else { return }
            self = .bool(false)
            Self.make(kind, of: index, rest, in: &elements)
            self = .array(elements)
        }
    }

    private static func make(
        _ kind: PropertyListChange.Kind, of name: String, _ rest: ArraySlice<PathStep>,
        in entries: inout [String: FlagValue]
    ) {
        switch kind {
        case .set(let value) where rest.isEmpty: entries[name] = value
        case .remove where rest.isEmpty: entries[name] = nil
        case .set:
            var child = entries.removeValue(forKey: name) ?? .dictionary([:])
            child.make(kind, at: rest)
            entries[name] = child
        case .remove, .insert:
            guard var child = entries.removeValue(forKey: name) else { return }
            child.make(kind, at: rest)
            entries[name] = child
        }
    }

    private static func make(
        _ kind: PropertyListChange.Kind, of index: Int, _ rest: ArraySlice<PathStep>, in elements: inout [FlagValue]
    ) {
        switch kind {
        case .insert(let value) where rest.isEmpty && index <= elements.count: elements.insert(value, at: index)
        case .remove where rest.isEmpty && elements.indices.contains(index): elements.remove(at: index)
        case _ where elements.indices.contains(index): elements[index].make(kind, at: rest)
        default: break
        }
    }
}

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
