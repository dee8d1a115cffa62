import FeatureFlags

struct PropertyListChange {
    enum Kind {
        /// Sets an entry of a dictionary, existing or not.
        case set(FlagValue)
        case remove
        case insert(FlagValue)
    }

    let path: [PathStep]
    let kind: Kind

    var isRemoval: Bool {
        if case .remove = kind { true } else { false }
    }
}

extension FlagValue {
    /// Makes a change in place, since copying a large dictionary for each is slow; creates missing dictionaries.
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

/// The reason that an edit of a property list was refused; the document is unchanged.
///
/// ```swift
/// let list = try PropertyListDocument(root: ["delivery": 4.9])
/// do {
///     _ = try list.setting("fast", at: FlagKeyPath(components: ["delivery", "fee"]))
/// } catch {
///     print(error, error.isBlocked)  // the value above it is not a group
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

    /// `true` if the path passes through a value other than a dictionary.
    ///
    /// An edit never overwrites such a value.
    public var isBlocked: Bool {
        if case .blocked = cause { true } else { false }
    }

    /// `true` if a property list can't store the value or its key.
    public var isNotStorable: Bool {
        if case .notStorable = cause { true } else { false }
    }

    /// `true` if the edit would have changed more than requested, or broken the file.
    public var isUnsafe: Bool {
        if case .unsafe = cause { true } else { false }
    }
}

extension PropertyListEditError: CustomStringConvertible {
    /// The key, the cause and the remedy.
    public var description: String {
        let start = "can't change \(key?.text ?? "the flags")"
        switch cause {
        case .blocked(let block, let location):
            let place = location.map { " (line \($0.line))" } ?? ""
            return "\(start): \(block.text)\(place), not a <dict>; remove or rename that first"
        case .notStorable(let reason):
            return "\(start): \(reason)"
        case .unsafe(let reason):
            return "\(start): the edit would change other values too (\(reason)); edit the file by hand, and report "
                + "this as a bug"
        }
    }
}
