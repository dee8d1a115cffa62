import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

struct ManagedFlags: Sendable {
    let manager: FlagsManager
    let files: FlagFiles

    /// `nil` places the manifest and the history beside the values.
    init(_ manager: FlagsManager, manifest: URL?, history: URL?) throws(EmbeddingError) {
        let names = manager.providers.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) { throw .sameName(twice) }
        let served = manager.providers.compactMap(Self.file)
        guard let main = served.first else { throw .noFile }
        self.manager = manager
        let beside = FlagFiles(values: main.given)
        // A named manifest must exist; this one does, after ``makeFiles()``.
        files = FlagFiles(
            values: main.given, named: main.name, manifest: manifest ?? beside.manifest, history: history,
            others: Array(served.dropFirst()))
    }

    private static func file(_ provider: any FlagsProvider) -> FlagFiles.Provider? {
        guard let local = provider as? LocalProvider, local.isWritable, let url = local.localURL else { return nil }
        return FlagFiles.Provider(name: local.name, url: url, isWritable: true)
    }

    /// Makes missing values files, and writes the code's definitions to the manifest.
    ///
    /// If a history exists, a missing file was lost by mistake: none is made, and the service reports it.
    func makeFiles() throws {
        let hasHistory = try AtomicFile.signature(of: files.history) != nil
        for file in files.providers where try !hasHistory && AtomicFile.signature(of: file.url) == nil {
            try AtomicFile.makeNew(file.url, with: PropertyListDocument.empty().source)
        }
        try manager.writeManifest(to: files.manifest)
    }

    /// Makes the app read its files now, without waiting for the system's notification.
    func takeUpFiles(log: (String) -> Void) {
        for case let local as LocalProvider in manager.providers {
            do {
                try local.refresh()
            } catch {
                log("\(error)")
            }
        }
    }

    var appProviders: [AppProvider] {
        let served = Set(files.providers.map(\.name))
        let providers = manager.providers
        guard providers.contains(where: { !served.contains($0.name) }) else { return [] }
        return zip(providers, manager.providerValues().providers).enumerated().compactMap { place, provider in
            let (provider, held) = provider
            if served.contains(provider.name) { return nil }
            return AppProvider(
                name: provider.name, description: held.description ?? "a provider of the app",
                filesBefore: providers[..<place].count { served.contains($0.name) }, values: held.values,
                broken: held.broken, lastGood: held.lastGood, writer: provider.isWritable ? writer(of: provider) : nil)
        }
    }

    private func writer(of provider: any FlagsProvider) -> AppProvider.Writer {
        { [manager] changes throws(PlainError) in
            do {
                try manager.setStoredValues(changes.map { ($0.key, $0.after) }, in: provider)
            } catch {
                throw PlainError("\(error)")
            }
        }
    }
}
