import FeatureFlags

/// The collections that code declares, with their places among the key paths.
struct DeclaredCollections: Sendable {
    /// A collection's place: the beginning of its flags' key paths.
    struct Place: Hashable, Sendable {
        let type: [String]
        let components: [String]
        let configuration: KeyConfiguration
    }

    struct FileLines: Hashable, Sendable {
        let file: String
        let lines: ClosedRange<Int>
    }

    let types: SourceTypes
    private(set) var places: [[String]: [Place]] = [:]
    private(set) var keys: Set<FlagKeyPath> = []
    private(set) var declarations: [FlagKeyPath: Set<FlagReference>] = [:]
    private(set) var groupLines: [FlagKeyPath: Set<FileLines>] = [:]
    /// Declarations whose key path only the running program knows.
    private(set) var untold: Set<FlagReference> = []

    /// The `known` flags reveal a loader's key configuration.
    init(
        _ types: SourceTypes, _ files: [String: SourceFacts], known: Set<FlagKeyPath>,
        _ checkStop: () throws(CancellationError) -> Void
    ) throws(CancellationError) {
        self.types = types
        let others = Set(files.values.flatMap(\.configurations)).sorted { "\($0)" < "\($1)" }
        for root in roots(files).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            var choices: [[Place]] = []
            for configuration in [KeyConfiguration()] + others {
                try checkStop()
                choices.append(places(of: root, configuration))
            }
            // A loader's configuration may come from elsewhere; its flags reveal it. The first of equals wins.
            let counts = choices.map { places in places.reduce(0) { $0 + keys(at: $1).count { known.contains($0) } } }
            let best = counts.indices.max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 > $1 } ?? 0
            add(choices[best])
        }
        for (path, type) in types.all where places[path] == nil {
            untold.formUnion(type.flags.map { Self.reference($0.flag, $0.file) })
        }
    }

    /// `nil` if the property declares no flag.
    func keys(of property: String, at places: [Place]) -> [FlagKeyPath]? {
        guard let place = places.first,
            let flag = types.all[place.type]?.flags.first(where: { $0.flag.property == property })
        else { return nil }
        return places.compactMap { self.key(of: flag.flag, at: $0) }
    }

    /// `nil` if the property declares no group.
    func group(_ property: String, at places: [Place]) -> [Place]? {
        guard let place = places.first,
            let group = types.all[place.type]?.groups.first(where: { $0.group.property == property })
        else { return nil }
        return places.compactMap { self.place(of: group.group, at: $0) }
    }

    /// The flags of each property name, in all collections.
    var properties: [String: Set<FlagKeyPath>] {
        var properties: [String: Set<FlagKeyPath>] = [:]
        for (path, places) in places {
            for (flag, _) in types.all[path]?.flags ?? [] {
                properties[flag.property, default: []].formUnion(places.compactMap { key(of: flag, at: $0) })
            }
        }
        return properties
    }

    private static func reference(_ flag: SourceFacts.DeclaredFlag, _ file: String) -> FlagReference {
        FlagReference(file: file, position: flag.position, kind: .declaration, lines: flag.lines)
    }

    /// Collections in no group, or passed to a call.
    private func roots(_ files: [String: SourceFacts]) -> Set<[String]> {
        let collections = types.all.filter(\.value.isCollection)
        let groups = collections.flatMap { path, type in
            type.groups.compactMap { types.path(of: $0.group.type, in: path) }
        }
        let given = files.values.flatMap { facts in
            facts.givenTypes.compactMap { given -> [String]? in
                let enclosing = facts.types[given.place].path
                return switch given.type {
                case .name(let name): types.path(of: SourceTypeName(path: [name]), in: enclosing)
                case .member: given.type.typeName.flatMap { types.path(of: $0, in: enclosing) }
                default: nil
                }
            }
        }
        return Set(collections.keys).subtracting(groups).union(given.filter { collections[$0] != nil })
    }

    private func places(of root: [String], _ configuration: KeyConfiguration) -> [Place] {
        let transform = configuration.keyTransform
        let prefix = configuration.prefix.map { [transform.component(for: $0)] } ?? []
        var found: [Place] = []
        var waiting = [(Place(type: root, components: prefix, configuration: configuration), around: Set([root]))]
        while let (place, around) = waiting.popLast(), found.count < Self.maximumCount {
            found.append(place)
            for (group, _) in types.all[place.type]?.groups ?? [] {
                // No Swift value holds one of its own type.
                guard let inner = self.place(of: group, at: place), !around.contains(inner.type) else { continue }
                waiting.append((inner, around.union([inner.type])))
            }
        }
        return found
    }

    /// The most places below one root.
    private static let maximumCount = 10_000

    private func place(of group: SourceFacts.DeclaredGroup, at place: Place) -> Place? {
        guard let type = types.path(of: group.type, in: place.type), types.all[type]?.isCollection == true,
            let added = components(group.key, group.property, place.configuration)
        else { return nil }
        return Place(type: type, components: place.components + added, configuration: place.configuration)
    }

    private func key(of flag: SourceFacts.DeclaredFlag, at place: Place) -> FlagKeyPath? {
        if case .path(let components) = flag.key { return FlagKeyPath(components: components) }
        guard let own = components(flag.key, flag.property, place.configuration), !own.isEmpty else { return nil }
        return FlagKeyPath(components: place.components + own)
    }

    private func keys(at place: Place) -> [FlagKeyPath] {
        (types.all[place.type]?.flags ?? []).compactMap { key(of: $0.flag, at: place) }
    }

    private func components(
        _ key: SourceFacts.DeclaredKey, _ property: String, _ configuration: KeyConfiguration
    ) -> [String]? {
        switch key {
        case .derived: [configuration.keyTransform.component(for: property)]
        case .transformed(let transform): [transform.component(for: property)]
        case .fixed(let component): [component]
        case .skipped: []
        case .path, .untold: nil
        }
    }

    private mutating func add(_ found: [Place]) {
        for place in found where places[place.type]?.contains(place) != true {
            places[place.type, default: []].append(place)
            for (flag, file) in types.all[place.type]?.flags ?? [] {
                if let key = key(of: flag, at: place) {
                    keys.insert(key)
                    declarations[key, default: []].insert(Self.reference(flag, file))
                } else {
                    untold.insert(Self.reference(flag, file))
                }
            }
            for (group, file) in types.all[place.type]?.groups ?? [] {
                guard let added = components(group.key, group.property, place.configuration), !added.isEmpty else {
                    continue
                }
                groupLines[FlagKeyPath(components: place.components + added), default: []].insert(
                    FileLines(file: file, lines: group.lines))
            }
        }
    }
}

extension SourceExpression {
    /// Set if the expression is only names and dots.
    package var typeName: SourceTypeName? {
        switch self {
        case .name(let name): SourceTypeName(path: [name])
        case .type(let name): name
        case .member(let base, let name): base.typeName.map { SourceTypeName(path: $0.path + [name]) }
        default: nil
        }
    }
}
