import FeatureFlags
import FeatureFlagsXML
import Foundation

extension ChangeService {
    /// The main values file as it may be given away: its own bytes, less the entries of internal flags.
    ///
    /// - Returns: A property list.
    /// - Throws: ``ChangeRefusal`` where the file can't be read now.
    public func exportedValues() async throws(ChangeRefusal) -> Data {
        try await refresh()
        guard let main = workspace.values.first, case .success(let document) = main.content else {
            throw unreadable()
        }
        do {
            return try document.omitting(workspace.hiddenFlags(showsInternal: options.showsInternal)).source
        } catch {
            throw fault(error.description)
        }
    }

    /// The definitions as they may be given away; `nil` where there is no manifest.
    ///
    /// - Returns: The manifest's own bytes, or a new file less the internal flags where there are some.
    /// - Throws: ``ChangeRefusal`` where the manifest can't be read now.
    public func exportedManifest() async throws(ChangeRefusal) -> Data? {
        try await refresh()
        guard case .success(let manifest) = workspace.manifest.content else { throw unreadable() }
        do {
            return try manifest?.omitting(
                workspace.hiddenFlags(showsInternal: options.showsInternal),
                keeping: Set(currentCatalogue().collections.keys))
        } catch {
            throw fault(error.description)
        }
    }

    /// What a read of every flag returns, as a new property list of the same shape as the values file.
    ///
    /// Flags without a value are left out.
    ///
    /// - Returns: A property list.
    /// - Throws: ``ChangeRefusal`` where a file can't be read now, which would leave defaults in the place of its values,
    ///   or a value can't be written.
    public func exportedEffectiveValues() async throws(ChangeRefusal) -> Data {
        try await refresh()
        guard workspace.obstacles.allSatisfy({ $0.provider == nil }) else { throw unreadable() }
        let entries = currentCatalogue().entries
        var tree = ValueTree()
        for entry in entries.filter(\.isDefined) + entries.filter({ !$0.isDefined }) {
            if let value = entry.resolution.effectiveValue { tree.insert(value, at: entry.key) }
        }
        do {
            return try PropertyListDocument(root: tree.value).source
        } catch {
            throw ChangeRefusal(.unavailable, error.description, remedy: "Correct the flag's default in the manifest.")
        }
    }

    private func unreadable() -> ChangeRefusal {
        ChangeRefusal(
            .unavailable, workspace.obstacles.map(\.description).joined(separator: " "),
            remedy: "Repair the file; it is left as it is and can be exported as soon as it is valid again.")
    }

    /// A refusal that leaves the cause, which may name what is internal, to the log.
    private func fault(_ cause: String) -> ChangeRefusal {
        options.log("an export failed: \(cause)")
        return ChangeRefusal(
            .unavailable, "The internal flags could not be left out, so nothing is exported.",
            remedy: "Report this as a fault of Flagboard, with what its log says.")
    }
}

/// Values nested by the components of their key paths.
struct ValueTree {
    private var leaf: FlagValue?
    private var children: [String: ValueTree] = [:]

    /// The tree as one value.
    var value: FlagValue {
        leaf ?? .dictionary(children.mapValues(\.value))
    }

    /// Puts a value in its place, unless one stands above that place or something stands below it already.
    mutating func insert(_ value: FlagValue, at key: FlagKeyPath) {
        insert(value, key.components[...])
    }

    private mutating func insert(_ value: FlagValue, _ path: ArraySlice<String>) {
        guard leaf == nil else { return }
        guard let name = path.first else {
            if children.isEmpty { leaf = value }
            return
        }
        children[name, default: ValueTree()].insert(value, path.dropFirst())
    }
}
