import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// This document with a value set: only the bytes of the value's element change, or those of a new entry are added.
    ///
    /// A new entry stands in key order where its dictionary is sorted, else last, indented as its neighbours are.
    /// Missing groups are created.
    ///
    /// - Parameters:
    ///   - value: The value. Dates lose their fractions of a second, which a property list can't store.
    ///   - key: Where to store it.
    /// - Returns: The changed document, or this one where it holds an equal value already.
    /// - Throws: Where the path passes through something that is no dictionary, where the value can't be stored, or
    ///   where the edit turns out to change more than was asked.
    public func setting(_ value: FlagValue, at key: FlagKeyPath) throws(PropertyListEditError) -> PropertyListDocument {
        try setting([(key, value)])
    }

    /// This document with several values set or removed at one stroke.
    ///
    /// Each is as ``setting(_:at:)`` and ``removing(_:)`` have it. What one key path holds can't depend on another: where a
    /// path is given twice or stands inside another, the changes are made one after the other.
    ///
    /// - Parameter changes: What to store where; `nil` removes an entry.
    /// - Returns: The changed document, or this one where it holds all of that already.
    /// - Throws: What ``setting(_:at:)`` and ``removing(_:)`` throw; its ``PropertyListEditError/key`` is `nil` where the
    ///   changes fail together only.
    public func setting(
        _ changes: [(key: FlagKeyPath, value: FlagValue?)]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard Self.areApart(changes.map(\.key)) else {
            var document = self
            for change in changes { document = try document.setting([change]) }
            return document
        }
        return try changing(wanted(changes), for: changes.count == 1 ? changes[0].key : nil)
    }

    /// This document with several values set or removed by edits that are known to do just that, such as those that bring back
    /// the bytes from before.
    ///
    /// - Parameters:
    ///   - changes: What to store where; `nil` removes an entry. No key path stands inside another.
    ///   - edits: The edits, in source order, none of which reaches into another.
    /// - Returns: The changed document.
    /// - Throws: What ``setting(_:)`` throws; also where the edits change anything else.
    package func setting(
        _ changes: [(key: FlagKeyPath, value: FlagValue?)], by edits: [SourceEdit]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        try applying(edits, for: changes.count == 1 ? changes[0].key : nil, expecting: wanted(changes))
    }

    /// The changes of entries that hold something else now.
    private func wanted(
        _ changes: [(key: FlagKeyPath, value: FlagValue?)]
    ) throws(PropertyListEditError) -> [PropertyListChange] {
        var wanted: [PropertyListChange] = []
        for (key, value) in changes {
            let value = value?.roundedToSeconds
            try check(value, at: key)
            guard try held(at: key) != value else { continue }
            wanted.append(
                PropertyListChange(path: key.components.map(PathStep.key), kind: value.map { .set($0) } ?? .remove))
        }
        return wanted
    }

    /// Whether a value can be stored at a key, or removed there, as far as that can be told without doing it.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes the entry.
    ///   - key: Where it is to stand.
    /// - Returns: What would be stored.
    /// - Throws: Why ``setting(_:at:)`` or ``removing(_:)`` would refuse it.
    package func checked(_ value: FlagValue?, at key: FlagKeyPath) throws(PropertyListEditError) -> FlagValue? {
        let value = value?.roundedToSeconds
        try check(value, at: key)
        _ = try held(at: key)
        return value
    }

    private static func areApart(_ keys: [FlagKeyPath]) -> Bool {
        let all = Set(keys)
        return all.count == keys.count && !keys.contains { $0.ancestors.contains(where: all.contains) }
    }

    /// The value at a key, where nothing on the way is in the way.
    func held(at key: FlagKeyPath) throws(PropertyListEditError) -> FlagValue? {
        do throws(BlockedPathError) {
            return try stored(at: key)
        } catch {
            let location = location(of: error.components.map(PathStep.key))
            throw PropertyListEditError(.blocked(error, location), key: key)
        }
    }

    private func check(_ value: FlagValue?, at key: FlagKeyPath) throws(PropertyListEditError) {
        guard let value else { return }
        let problem =
            key.components.lazy.compactMap(PropertyListWriter.problem(with:)).first
            ?? PropertyListWriter.problem(with: value)
        if let problem { throw PropertyListEditError(.notStorable(problem), key: key) }
        if value.isDeeper(than: Self.maximumDepth - key.components.count) {
            let reason = "values would be nested deeper than \(Self.maximumDepth) levels; make the nesting flatter"
            throw PropertyListEditError(.notStorable(reason), key: key)
        }
    }
}
