import FeatureFlags
import Foundation

extension FlagDefinition {
    /// Creates the definition of a manifest's entry, or `nil` if the entry is not valid.
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
    package static func empty() -> FlagManifest {
        do {
            let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array([])])
            return try FlagManifest(document: PropertyListDocument(root: root))
        } catch {
            preconditionFailure("a manifest without definitions is valid: \(error)")
        }
    }

    /// Returns the manifest with a flag added behind those of its group, else of the nearest enclosing group with
    /// flags.
    package func adding(
        _ fields: [String: FlagValue], for key: FlagKeyPath
    ) throws(FlagManifestError) -> FlagManifest {
        let entry = FlagValue.dictionary(fields).roundedToSeconds
        return try edited(storing: Array(fields.values), for: key) { () throws(PropertyListEditError) in
            try document.inserting(entry, behind: lastNeighbour(of: key), of: "flags", for: key)
        }
    }

    /// Adds flags in the places of ``adding(_:for:)``, but reads the manifest only once.
    package func adding(
        _ flags: [(key: FlagKeyPath, fields: [String: FlagValue])]
    ) throws(FlagManifestError) -> FlagManifest {
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

    package static func check(
        _ fields: [String: FlagValue], for key: FlagKeyPath
    ) throws(FlagManifestError) {
        if let problem = fields.values.lazy.compactMap(PropertyListWriter.problem(with:)).first {
            throw FlagManifestError(PropertyListEditError(.notStorable(problem), key: key))
        }
        let entry = FlagValue.dictionary(fields).roundedToSeconds
        _ = try FlagManifestContent(root: .dictionary(["version": .integer(1), "flags": .array([entry])]))
    }

    private func lastNeighbour(of key: FlagKeyPath) -> Int? {
        key.ancestors.reversed().lazy.compactMap { index.members[$0]?.last }.first
    }

    /// Sets fields of a flag's entry, or removes those with `nil`; only the bytes of those fields change.
    package func setting(
        _ fields: [String: FlagValue?], of key: FlagKeyPath
    ) throws(FlagManifestError) -> FlagManifest {
        try setting([(key, fields)])
    }

    /// Sets or removes fields of distinct flags; undefined flags are ignored.
    package func setting(
        _ changes: [(key: FlagKeyPath, fields: [String: FlagValue?])]
    ) throws(FlagManifestError) -> FlagManifest {
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

    package func settling(_ field: String, of key: FlagKeyPath) throws(FlagManifestError) -> FlagManifest {
        try edited(storing: [], for: key, places: []) { () throws(PropertyListEditError) in
            try document.settling([FlagPlace(entry: key.text, of: .definition, field: field)])
        }
    }

    package func conflict(at field: String, of key: FlagKeyPath) -> MarkedConflict? {
        let place = FlagPlace(entry: key.text, of: .definition, field: field)
        return document.conflicts.first { $0.place == place }
    }

    /// Removes a flag's entry with the whitespace of its lines; comments stay.
    package func removing(_ key: FlagKeyPath) throws(FlagManifestError) -> FlagManifest {
        guard let place = index.places[key] else { return self }
        return try edited(storing: [], for: key) { () throws(PropertyListEditError) in
            try document.removing(element: place, of: "flags", for: key)
        }
    }

    /// Edits the document; `places` are the flags whose entries alone change, or `nil` if others may move.
    private func edited(
        storing values: [FlagValue], for key: FlagKeyPath, places: [Int]? = nil,
        _ edit: () throws(PropertyListEditError) -> PropertyListDocument
    ) throws(FlagManifestError) -> FlagManifest {
        if let problem = values.lazy.compactMap(PropertyListWriter.problem(with:)).first {
            throw FlagManifestError(PropertyListEditError(.notStorable(problem), key: key))
        }
        let result: PropertyListDocument
        do throws(PropertyListEditError) {
            result = try edit()
        } catch {
            throw FlagManifestError(error)
        }
        if let places, let content = content.redefining(result.entries(at: places)) {
            return FlagManifest(document: result, content: content)
        }
        return try FlagManifest(document: result)
    }
}

extension PropertyListDocument {
    fileprivate func entries(at places: [Int]) -> [Int: FlagValue] {
        var entries: [Int: FlagValue] = [:]
        for place in places { entries[place] = value(of: [.key("flags"), .index(place)]) }
        return entries
    }
}

/// The places of flags that are added together, as if one by one.
struct AddedFlags {
    /// Indices of added flags, by the place of the existing flag that they follow.
    let runs: [(place: Int, added: [Int])]

    init(_ keys: [FlagKeyPath], to index: FlagManifestIndex, of count: Int) {
        // A number below `count` is the place of an existing flag; added flags are numbered from `count`.
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
