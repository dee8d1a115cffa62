import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension ChangeService {
    /// Works out what an import would change; nothing is written, and nothing is recorded as denied.
    ///
    /// - Parameters:
    ///   - values: What is imported.
    ///   - provider: Where it goes to; `nil` for the first provider that can be written to.
    ///   - mode: What happens to the values that the provider holds and the import doesn't.
    ///   - author: Who asks, with the origin `import`.
    /// - Returns: What becomes of each flag, and the changes to apply as one batch. Internal flags are not in it.
    /// - Throws: ``ChangeError`` where nothing can be imported at all.
    public func plan(
        _ values: ImportedValues, into provider: String? = nil, mode: ImportPlan.Mode, by author: ChangeAuthor
    ) async throws(ChangeError) -> ImportPlan {
        if author.role != .admin { throw .importing(author) }
        let catalogue = try await overview().catalogue
        let target = provider ?? catalogue.providers.first(where: \.isWritable)?.name ?? ""
        let wishes = ImportPlan.wishes(
            of: values, into: target, mode, catalogue, takesNewFlags: workspace.takesNewFlags)
        let changes = wishes.filter { $0.fate == nil }.map(\.change)
        guard changes.count <= Self.largestImport else {
            throw ChangeError(
                .invalid, "The import has \(changes.count) changes; at most \(Self.largestImport) are made at once.",
                remedy: "Split it; nothing was changed.")
        }
        if changes.isEmpty, !catalogue.providers.contains(where: { $0.name == target && $0.isWritable }) {
            throw .notWritable(target)
        }
        return try ImportPlan(wishes, try await preview(changes, by: author), into: target, mode)
    }

    /// How many values one import may change.
    public static let largestImport = 10_000
}

extension ChangePlan {
    /// The flag that an import makes of a key which nobody defined and no provider holds.
    ///
    /// Only where there is no manifest, and so nothing internal: with one, such a key is refused like that of an internal
    /// flag, so that nobody learns which there are.
    ///
    /// - Returns: A flag of the type that the value looks like; `nil` where the key stands for nothing.
    func newDefinition(_ change: Change, _ author: ChangeAuthor) -> FlagDefinition? {
        guard author.origin == .import, workspace.takesNewFlags, !workspace.holdsAnything(onTheWayTo: change.key) else {
            return nil
        }
        switch change.action {
        case .setValue(.dictionary): return nil
        case .setValue(let value): return FlagDefinition(key: change.key, type: FlagType(inferredFrom: value))
        case .setJSON(let json):
            if case .object = json.value { return nil }
            // What can't be stored is refused as a value of any type.
            return FlagDefinition(key: change.key, type: json.value.stored.map(FlagType.init(inferredFrom:)) ?? .array)
        default: return nil
        }
    }
}

extension Workspace {
    /// Whether an import may store values at keys that stand for no flag.
    var takesNewFlags: Bool {
        if case .success(nil) = manifest.content { lastSoundManifest == nil } else { false }
    }

    /// Whether a provider holds a group at a key, or a value above it: a value there would hide what is around it.
    func holdsAnything(onTheWayTo key: FlagKeyPath) -> Bool {
        values.contains { file in
            guard case .success(let document) = file.content else { return true }
            do {
                let value = try document.root.value(at: key)
                return value != nil && value != .dictionary([:])
            } catch {
                return true
            }
        }
    }
}

extension ChangeError {
    /// That an author may not import.
    static func importing(_ author: ChangeAuthor, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .notAllowed, key: key,
            "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and may not import"
                + "\(key.map { " a value of \($0)" } ?? "").",
            remedy: "Ask an admin to import it.")
    }

    fileprivate static func notWritable(_ provider: String) -> ChangeError {
        ChangeError(
            .notAllowed, "Nothing can be written to a provider \(provider.shortened(to: 100)).",
            remedy: "Choose a provider that can be written to.")
    }
}
