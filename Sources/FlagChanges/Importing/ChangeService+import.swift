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
        let state = try await reader.state()
        let catalogue = state.catalogue
        let target = provider ?? catalogue.providers.first(where: \.isWritable)?.name ?? ""
        let wishes = ImportPlan.wishes(
            of: values, into: target, mode, catalogue, takesNewFlags: state.workspace.takesNewFlags)
        let changes = wishes.filter { $0.fate == nil }.map(\.change)
        guard changes.count <= Self.largestImport else {
            throw ChangeError(
                .invalid, "The import has \(changes.count) changes; at most \(Self.largestImport) are made at once.",
                remedy: "Split it; nothing was changed.")
        }
        if changes.isEmpty, !catalogue.providers.contains(where: { $0.name == target && $0.isWritable }) {
            throw .notWritable(target)
        }
        return try ImportPlan(wishes, try await preview(ChangeRequest(changes, by: author)), into: target, mode)
    }

    /// Makes the changes of an import, all or none.
    ///
    /// - Parameters:
    ///   - plan: What the import comes to.
    ///   - isPartial: Whether the flags whose values are refused are left out; else one of them refuses all.
    ///   - reason: Why, in the asker's words.
    ///   - author: Who asks, with the origin `import`.
    /// - Throws: ``BatchError`` where a change is refused; ``ChangeError`` where none can be made.
    public func apply(
        _ plan: ImportPlan, leavingRefusedOut isPartial: Bool, reason: String, by author: ChangeAuthor
    ) async throws {
        if !isPartial, let cause = plan.leftOut.lazy.compactMap(\.refusal).first {
            throw BatchError(changes: plan.leftOut, cause: cause)
        }
        guard !plan.changes.isEmpty else { return }
        let changes = plan.changes.map { change in
            var change = change
            change.reason = reason
            return change
        }
        _ = try await apply(ChangeRequest(changes, by: author))
    }

    /// How many values one import may change.
    public static let largestImport = 10_000
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
