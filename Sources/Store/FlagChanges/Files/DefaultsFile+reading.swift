import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

extension DefaultsFile {
    /// A provider as last read, valid while the file's signature stays.
    struct Known: Sendable {
        let signature: AtomicFile.Signature?
        /// True if any later change must alter ``signature``.
        let isSettled: Bool
        let provider: AppProvider
    }

    func read(known: Known?, upTo maximumSize: Int) -> Known {
        let signature = AtomicFile.look(at: url)
        if let known, known.isSettled, known.signature == signature { return known }
        return Known(
            signature: signature, isSettled: signature?.isSettled(at: Date()) ?? true,
            provider: provider(upTo: maximumSize))
    }

    private func provider(upTo maximumSize: Int) -> AppProvider {
        let description = "the UserDefaults in \(url.lastPathComponent)"
        do throws(FileProblem) {
            let (values, broken) = try held(try document(upTo: maximumSize))
            let writer: AppProvider.Writer = { changes throws(PlainError) in
                try write(changes, upTo: maximumSize)
            }
            return AppProvider(
                name: name, description: description, filesBefore: filesBefore, values: values, broken: broken,
                file: url, writer: isWritable ? writer : nil)
        } catch {
            return AppProvider(
                name: name, description: description, filesBefore: filesBefore, values: [:], problem: error)
        }
    }

    private func document(upTo maximumSize: Int) throws(FileProblem) -> PropertyListDocument {
        let file: AtomicFile.Contents?
        do throws(FileAccessError) {
            file = try AtomicFile.readIfThere(url, maximumSize: maximumSize)
        } catch {
            throw FileProblem(error, in: url)
        }
        do throws(PropertyListError) {
            return try file.map { (file) throws(PropertyListError) in
                try PropertyListDocument(source: file.data, maximumSize: maximumSize)
            } ?? PropertyListDocument.empty()
        } catch {
            throw FileProblem(error, in: url)
        }
    }

    private func held(
        _ document: PropertyListDocument
    ) throws(FileProblem) -> (values: [FlagKeyPath: FlagValue], broken: [FlagKeyPath: FlagValueError]) {
        var values: [FlagKeyPath: FlagValue] = [:]
        var broken: [FlagKeyPath: FlagValueError] = [:]
        guard case .dictionary(let entries) = document.root else {
            throw FileProblem("the root is \(document.root.kind), expected a dictionary.", in: url)
        }
        if case .dictionary(let name) = form {
            let root = keyPrefix + name
            switch entries[root] {
            case .dictionary?:
                ProviderContents.file(document).forEachEntry(at: FlagKeyPath(components: [root])) { key, value in
                    let inner = key.components.dropFirst()
                    if let value, !inner.isEmpty { values[FlagKeyPath(components: Array(inner))] = value }
                    return true
                }
            case let other?: throw FileProblem("\(root) is \(other.kind), expected a dictionary of values.", in: url)
            case nil: break
            }
            return (values, broken)
        }
        for (name, value) in entries where name.hasPrefix(keyPrefix) && name != keyPrefix {
            let parts = name.dropFirst(keyPrefix.count).split(separator: "/", omittingEmptySubsequences: false)
            // What is no key path is no flag.
            guard parts.count <= FlagKeyPath.maximumCount else { continue }
            let key = FlagKeyPath(components: parts.map(String.init))
            do throws(FlagValueError) {
                values[key] = try form.value(value, at: key)
            } catch {
                broken[key] = error
            }
        }
        return (values, broken)
    }

    private func place(of key: FlagKeyPath) -> FlagKeyPath {
        if case .dictionary(let name) = form { return FlagKeyPath(components: [keyPrefix + name] + key.components) }
        return FlagKeyPath(components: [keyPrefix + key.components.joined(separator: "/")])
    }

    /// Writes the file anew; the caller has its folder's turn.
    private func write(_ changes: [AppProvider.Change], upTo maximumSize: Int) throws(PlainError) {
        do {
            let document = try document(upTo: maximumSize)
            let (now, _) = try held(document)
            for change in changes where now[change.key] != change.before {
                throw PlainError("another program changed \(change.key) in the meantime")
            }
            let values = try changes.map { change in (key: place(of: change.key), value: try stored(change)) }
            let target = AtomicFile.target(of: url)
            try AtomicFile.replace(
                target, with: try document.setting(values).source, mode: AtomicFile.look(at: target)?.mode ?? 0o600)
        } catch {
            throw PlainError("\(error)")
        }
    }

    private func stored(_ change: AppProvider.Change) throws(FlagValueError) -> FlagValue? {
        if case .dictionary = form { return change.after }
        return try form.stored(change.after, at: change.key, in: nil)
    }
}
