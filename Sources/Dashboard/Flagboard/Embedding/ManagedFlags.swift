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
        let others = providers.enumerated().filter { !served.contains($0.element.name) }
        guard !others.isEmpty else { return [] }
        let explanations = manager.featureFlags.map { ($0.keyPath, $0.explain().resolution) }
        return others.map { place, provider in
            var values: [FlagKeyPath: Result<FlagValue, FlagValueError>] = [:]
            var lastGood: [FlagKeyPath: FlagValue] = [:]
            for (key, resolution) in explanations {
                guard let reading = resolution.readings.first(where: { $0.provider == provider.name }) else { continue }
                switch reading.answer {
                case .value(let value, _): values[key] = .success(value)
                case .broken(let problem, _): (values[key], lastGood[key]) = (.failure(problem), reading.lastGood)
                case .absent: break
                }
            }
            return AppProvider(
                name: provider.name, description: provider.shortDescription ?? "a provider of the app",
                filesBefore: providers[..<place].count { served.contains($0.name) }, values: values, lastGood: lastGood)
        }
    }
}
