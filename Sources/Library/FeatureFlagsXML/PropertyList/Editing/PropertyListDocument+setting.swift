import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Returns this document with a value set, changing only the bytes of its element or adding those of a new entry.
    ///
    /// A new entry is placed in key order if its dictionary is sorted, otherwise last, indented like its neighbours.
    /// Missing groups are created.
    ///
    /// - Parameters:
    ///   - value: The value. Dates lose their fractions of a second, which a property list can't store.
    ///   - key: The key path of the entry.
    /// - Returns: The changed document, or this one if it already holds an equal value.
    /// - Throws: An error if the path passes through a value other than a dictionary, the value can't be stored, or the
    ///   edit changes more than requested.
    public func setting(_ value: FlagValue, at key: FlagKeyPath) throws(PropertyListEditError) -> PropertyListDocument {
        try setting([(key, value)])
    }

    /// Returns this document with several values set or removed together.
    ///
    /// Each change follows ``setting(_:at:)`` or ``removing(_:)``; if a path occurs twice or is inside another, one
    /// after the other.
    ///
    /// - Parameter changes: The values by key path; `nil` removes an entry.
    /// - Returns: The changed document, or this one if nothing differs.
    /// - Throws: The errors of ``setting(_:at:)`` and ``removing(_:)``; ``PropertyListEditError/key`` is `nil` if the
    ///   changes fail only together.
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

    /// Makes changes by given edits, such as those that restore earlier bytes, and throws if anything else changes.
    package func setting(
        _ changes: [(key: FlagKeyPath, value: FlagValue?)], by edits: [SourceEdit]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        try applying(edits, for: changes.count == 1 ? changes[0].key : nil, expecting: wanted(changes))
    }

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

    /// Returns the value as it would be stored, after the checks that are possible without doing it.
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
            let reason = "values would be nested more than \(Self.maximumDepth) levels deep; reduce the nesting"
            throw PropertyListEditError(.notStorable(reason), key: key)
        }
    }
}
