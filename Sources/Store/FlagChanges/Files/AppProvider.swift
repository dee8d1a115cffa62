import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation
import Synchronization

/// A provider of a running app: of the embedding app, or of one that is connected.
///
/// Its values are in the app's memory, in its `UserDefaults` or elsewhere, and have no file here.
package struct AppProvider: Sendable {
    package struct Change: Hashable, Sendable {
        package let key: FlagKeyPath
        package let before, after: FlagValue?
    }

    /// Makes changes in the app, all or none, before it returns; called on a thread that may wait.
    package typealias Writer = @Sendable ([Change]) throws(PlainError) -> Void

    /// Refuses a value that the provider can't store for a flag.
    package typealias Check = @Sendable (FlagValue?, FlagKeyPath) throws(FlagValueError) -> Void

    package let name: String
    package let description: String
    /// The name in the app's code, by which a manifest excludes the provider.
    let declaredName: String
    /// The number of files that precede it.
    package let filesBefore: Int
    /// The app in another process that has the provider, whose values reads here ignore; `nil` for the embedding app.
    package let connectedApp: String?
    private let content: AppContent
    let broken: [FlagKeyPath: FlagValueError]
    let lastGood: [FlagKeyPath: FlagValue]
    /// The file that the writer replaces, whose folder's turn a change takes; `nil` for none.
    let file: URL?
    /// Set if no value can be read.
    let problem: FileProblem?
    /// `nil` if only the app's code changes the values.
    let writer: Writer?
    /// `nil` if the provider can store whatever the flag can have.
    let check: Check?

    package init(
        name: String, description: String, declaredName: String? = nil, filesBefore: Int = .max,
        connectedApp: String? = nil,
        values: [FlagKeyPath: FlagValue], broken: [FlagKeyPath: FlagValueError] = [:],
        lastGood: [FlagKeyPath: FlagValue] = [:], problem: FileProblem? = nil, file: URL? = nil, writer: Writer? = nil,
        check: Check? = nil
    ) {
        (self.problem, self.file, self.check) = (problem, file, check)
        (self.name, self.description, self.filesBefore) = (name, description, filesBefore)
        (self.declaredName, self.connectedApp) = (declaredName ?? name, connectedApp)
        (self.lastGood, self.writer) = (lastGood, writer)
        let store = FlagValueStore()
        var broken = broken
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(FlagValueError) {
                try store.set(value, at: key)
            } catch {
                broken[key] = error
            }
        }
        do throws(FlagValueError) {
            content = AppContent(.dictionary(try store.values))
        } catch {
            content = AppContent(.dictionary([:]))
            for key in values.keys where broken[key] == nil { broken[key] = error }
        }
        self.broken = broken
    }

    private init(_ previous: AppProvider, changed change: Change, to document: PropertyListDocument) {
        (name, description, declaredName) = (previous.name, previous.description, previous.declaredName)
        (filesBefore, connectedApp, writer) = (previous.filesBefore, previous.connectedApp, previous.writer)
        (problem, file, check) = (previous.problem, previous.file, previous.check)
        content = AppContent(document)
        broken = previous.broken.filter { $0.key != change.key }
        lastGood = previous.lastGood.filter { $0.key != change.key }
    }

    /// Returns the provider after a change, until the app sends its values again.
    func changed(by change: Change, to document: PropertyListDocument) -> AppProvider {
        AppProvider(self, changed: change, to: document)
    }

    /// The values as a property list, in which changes are planned as in a file.
    func document() throws(PropertyListError) -> PropertyListDocument { try content.document() }

    private var root: FlagValue { content.root }

    var isAsked: Bool { connectedApp == nil }

    func value(of key: FlagKeyPath) -> FlagValue? { ProviderContents.tree(root).value(of: key) }

    fileprivate var heldEntries: [FlagKeyPath: FlagValue] {
        var entries: [FlagKeyPath: FlagValue] = [:]
        ProviderContents.tree(root).forEachEntry { key, value in
            entries[key] = value
            return true
        }
        return entries
    }

    func snapshot(
        _ dictionaryKeys: Set<FlagKeyPath>, isReadOnly: Bool, _ definitions: FlagManifest?
    ) -> ValuesSnapshot {
        ValuesSnapshot(
            name: name, shortDescription: description, isWritable: writer != nil && !isReadOnly,
            areOverrides: writer != nil,
            content: problem.map { .failure($0) } ?? .success(.tree(root)), dictionaryKeys: dictionaryKeys,
            broken: broken, isFile: false,
            isAsked: isAsked, connectedApp: connectedApp, lastGood: lastGood,
            unreadFlags: definitions?.content.unreadKeys(from: declaredName) ?? [])
    }
}

extension AppProvider: Hashable {
    package static func == (left: AppProvider, right: AppProvider) -> Bool {
        left.name == right.name && left.description == right.description && left.declaredName == right.declaredName
            && left.filesBefore == right.filesBefore && left.connectedApp == right.connectedApp
            && (left.writer == nil) == (right.writer == nil) && left.broken == right.broken
            && left.problem == right.problem
            && left.lastGood == right.lastGood && left.root == right.root
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(root)
        hasher.combine(broken)
    }
}

extension [AppProvider] {
    /// Returns the flags with other values; `nil` if providers came or went.
    func changedKeys(to others: [AppProvider]) -> Set<FlagKeyPath>? {
        guard map(\.name) == others.map(\.name) else { return nil }
        return zip(self, others).reduce(into: []) { keys, pair in
            guard pair.0 != pair.1 else { return }
            let (before, after) = (pair.0.heldEntries, pair.1.heldEntries)
            keys.formUnion(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
            keys.formUnion(pair.0.broken.keys)
            keys.formUnion(pair.1.broken.keys)
        }
    }

    func joined(
        with files: [ValuesSnapshot], _ dictionaryKeys: Set<FlagKeyPath>, isReadOnly: Bool, _ definitions: FlagManifest?
    ) -> [ValuesSnapshot] {
        (0...files.count).flatMap { place in
            filter { $0.filesBefore == place || (place == files.count && $0.filesBefore > place) }
                .map { $0.snapshot(dictionaryKeys, isReadOnly: isReadOnly, definitions) } + files[place...].prefix(1)
        }
    }
}

/// An app's values, with their property list, which is made when a change needs it.
private final class AppContent: Sendable {
    let root: FlagValue
    private let made: Mutex<PropertyListDocument?>

    init(_ root: FlagValue) {
        self.root = root
        made = Mutex(nil)
    }

    init(_ document: PropertyListDocument) {
        root = document.root
        made = Mutex(document)
    }

    func document() throws(PropertyListError) -> PropertyListDocument {
        try made.withLock { (made) throws(PropertyListError) in
            if let made { return made }
            let document = try PropertyListDocument(root: root)
            made = document
            return document
        }
    }
}
