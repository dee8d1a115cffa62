import FeatureFlags
import Foundation

/// Why a manifest could not be edited; it is as it was.
package enum FlagManifestEditError: Error {
    /// The bytes can't be edited so.
    case edit(PropertyListEditError)
    /// The definitions would not be valid.
    case invalid(FlagManifestError)
}

extension FlagDefinition {
    /// The definition that an entry of a manifest is of; `nil` where it is no valid entry.
    package init?(manifestEntry fields: [String: FlagValue]) {
        let entry = FlagValue.dictionary(fields).roundedToSeconds
        let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array([entry])])
        guard PropertyListDocument.problem(with: root) == nil,
            case .success(let manifest) = Result(catching: { try FlagManifestContent(root: root) }),
            let definition = manifest.definitions.first
        else { return nil }
        self = definition
    }
}

extension FlagManifest {
    /// A manifest without definitions, as a new file holds it.
    package static func empty() -> FlagManifest {
        do {
            let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array([])])
            return try FlagManifest(document: PropertyListDocument(root: root))
        } catch {
            preconditionFailure("a manifest without definitions is valid: \(error)")
        }
    }

    /// The manifest with one more flag; nothing else changes.
    ///
    /// It stands behind the flags of its group; where there are none, of the nearest group around that, else at the end.
    ///
    /// - Parameters:
    ///   - fields: What the flag's entry holds.
    ///   - key: The flag.
    /// - Returns: The changed manifest.
    /// - Throws: Where the entry can't be stored or is not valid.
    package func adding(
        _ fields: [String: FlagValue], for key: FlagKeyPath
    ) throws(FlagManifestEditError) -> FlagManifest {
        let entry = FlagValue.dictionary(fields).roundedToSeconds
        return try edited(storing: Array(fields.values), for: key) { () throws(PropertyListEditError) in
            try document.inserting(entry, behind: lastNeighbour(of: key), of: "flags", for: key)
        }
    }

    /// The manifest with more flags, each where ``adding(_:for:)`` would put it if they were added one by one; it is read once.
    package func adding(
        _ flags: [(key: FlagKeyPath, fields: [String: FlagValue])]
    ) throws(FlagManifestEditError) -> FlagManifest {
        guard let first = flags.first, let last = flags.last else { return self }
        guard flags.count > 1 else { return try adding(first.fields, for: first.key) }
        guard !content.definitions.isEmpty else {
            return try adding(first.fields, for: first.key).adding(Array(flags.dropFirst()))
        }
        let places = AddedFlags(flags.map(\.key), to: index, of: content.definitions.count)
        let runs = places.runs.map { place, added in
            (place: place, values: added.map { FlagValue.dictionary(flags[$0].fields).roundedToSeconds })
        }
        return try edited(storing: flags.flatMap(\.fields.values), for: last.key) { () throws(PropertyListEditError) in
            try document.inserting(runs, of: "flags", for: last.key)
        }
    }

    /// Checks that a flag's entry can be stored, and is valid by itself.
    package static func check(
        _ fields: [String: FlagValue], for key: FlagKeyPath
    ) throws(FlagManifestEditError) {
        if let problem = fields.values.lazy.compactMap(PropertyListWriter.problem(with:)).first {
            throw .edit(PropertyListEditError(.notStorable(problem), key: key))
        }
        let entry = FlagValue.dictionary(fields).roundedToSeconds
        do throws(FlagManifestError) {
            _ = try FlagManifestContent(root: .dictionary(["version": .integer(1), "flags": .array([entry])]))
        } catch {
            throw .invalid(error)
        }
    }

    /// The place of the last flag that shares the most groups with one.
    private func lastNeighbour(of key: FlagKeyPath) -> Int? {
        key.ancestors.reversed().lazy.compactMap { index.members[$0]?.last }.first
    }

    /// The manifest with some fields of a flag's entry set or removed: only the bytes of those fields change.
    ///
    /// - Parameters:
    ///   - fields: What each is to hold; `nil` removes it.
    ///   - key: The flag.
    /// - Returns: The changed manifest, or this one where it holds just that or does not define the flag.
    /// - Throws: Where a field can't be stored or the definition would not be valid.
    package func setting(
        _ fields: [String: FlagValue?], of key: FlagKeyPath
    ) throws(FlagManifestEditError) -> FlagManifest {
        try setting([(key, fields)])
    }

    /// The manifest with fields of the entries of several flags set or removed at one stroke.
    ///
    /// - Parameter changes: Different flags, and what each of the fields is to hold; `nil` removes it.
    /// - Returns: The changed manifest; flags that it does not define are left out.
    /// - Throws: Where a field can't be stored or a definition would not be valid.
    package func setting(
        _ changes: [(key: FlagKeyPath, fields: [String: FlagValue?])]
    ) throws(FlagManifestEditError) -> FlagManifest {
        var entries: [(path: [PathStep], fields: [String: FlagValue?])] = []
        var places: [Int] = []
        for (key, fields) in changes {
            guard let place = index.places[key] else { continue }
            places.append(place)
            entries.append(([.key("flags"), .index(place)], fields.mapValues { $0?.roundedToSeconds }))
        }
        guard let key = changes.first?.key, !entries.isEmpty else { return self }
        let stored = entries.flatMap { $0.fields.values.compactMap(\.self) }
        return try edited(storing: stored, for: key, places: places) { () throws(PropertyListEditError) in
            try document.setting(entries, for: changes.count == 1 ? key : nil)
        }
    }

    /// The manifest without the comment of a conflict that a merge left at a field of a flag.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - key: The flag.
    /// - Returns: The changed manifest, or this one where it has no such conflict.
    /// - Throws: Where the edit turns out to change more than was asked.
    package func settling(_ field: String, of key: FlagKeyPath) throws(FlagManifestEditError) -> FlagManifest {
        try edited(storing: [], for: key, places: []) { () throws(PropertyListEditError) in
            try document.settling([FlagPlace(entry: key.text, of: .definition, field: field)])
        }
    }

    /// The conflict that a merge left at a field of a flag; `nil` for none.
    package func conflict(at field: String, of key: FlagKeyPath) -> MarkedConflict? {
        let place = FlagPlace(entry: key.text, of: .definition, field: field)
        return document.conflicts.first { $0.place == place }
    }

    /// The manifest without a flag: its entry goes with the whitespace of its lines, comments stay.
    ///
    /// - Parameter key: The flag.
    /// - Returns: The changed manifest, or this one where it does not define the flag.
    /// - Throws: Where the edit turns out to change more than was asked.
    package func removing(_ key: FlagKeyPath) throws(FlagManifestEditError) -> FlagManifest {
        guard let place = index.places[key] else { return self }
        return try edited(storing: [], for: key) { () throws(PropertyListEditError) in
            try document.removing(element: place, of: "flags", for: key)
        }
    }

    /// The manifest after an edit.
    ///
    /// - Parameters:
    ///   - values: What is stored.
    ///   - key: What the edit is for.
    ///   - places: The flags whose entries alone change; `nil` where others may move.
    ///   - edit: Makes the document.
    /// - Returns: The changed manifest.
    /// - Throws: Where a value can't be stored, the edit is refused, or the definitions would not be valid.
    private func edited(
        storing values: [FlagValue], for key: FlagKeyPath, places: [Int]? = nil,
        _ edit: () throws(PropertyListEditError) -> PropertyListDocument
    ) throws(FlagManifestEditError) -> FlagManifest {
        if let problem = values.lazy.compactMap(PropertyListWriter.problem(with:)).first {
            throw .edit(PropertyListEditError(.notStorable(problem), key: key))
        }
        let result: PropertyListDocument
        do throws(PropertyListEditError) {
            result = try edit()
        } catch {
            throw .edit(error)
        }
        if let places, let content = content.redefining(result.entries(at: places)) {
            return FlagManifest(document: result, content: content)
        }
        do throws(FlagManifestError) {
            return try FlagManifest(document: result)
        } catch {
            throw .invalid(error)
        }
    }
}

extension PropertyListDocument {
    /// The entries of flags, by their places.
    fileprivate func entries(at places: [Int]) -> [Int: FlagValue] {
        var entries: [Int: FlagValue] = [:]
        for place in places { entries[place] = value(of: [.key("flags"), .index(place)]) }
        return entries
    }
}

/// Where flags come to stand that are added to a manifest together: each where it would if they were added one by one.
struct AddedFlags {
    /// The flags that stand behind those of the manifest, by the place of each of these; all by their places among the added ones.
    let runs: [(place: Int, added: [Int])]

    /// Finds their places.
    ///
    /// - Parameters:
    ///   - keys: The flags, in the order in which they are added.
    ///   - index: The flags that the manifest has; it has at least one.
    ///   - count: How many these are.
    init(_ keys: [FlagKeyPath], to index: FlagManifestIndex, of count: Int) {
        // Flags are named by their places, and those that are added by numbers behind them.
        var lastOfGroup: [FlagKeyPath: Int] = [:]
        var next: [Int: Int] = [:]
        var last = count - 1
        func lastMember(of group: FlagKeyPath) -> Int? { lastOfGroup[group] ?? index.members[group]?.last }
        for (added, key) in keys.enumerated() {
            let flag = count + added
            let groups = key.ancestors
            let neighbour = groups.reversed().lazy.compactMap(lastMember).first ?? last
            next[flag] = next[neighbour]
            next[neighbour] = flag
            for group in groups where lastMember(of: group) ?? neighbour == neighbour { lastOfGroup[group] = flag }
            if neighbour == last { last = flag }
        }
        runs = next.keys.filter { $0 < count }.sorted().map { place in
            (place, Array(sequence(first: place) { next[$0] }.dropFirst().map { $0 - count }))
        }
    }
}
