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
            let (values, broken) = try held(try content(upTo: maximumSize))
            let writer: AppProvider.Writer = { changes throws(PlainError) in
                try write(changes, upTo: maximumSize)
            }
            return AppProvider(
                name: name, description: description, filesBefore: filesBefore, values: values, broken: broken,
                file: url, writer: isWritable ? writer : nil,
                check: { value, key throws(FlagValueError) in _ = try stored(value, at: key) })
        } catch {
            return AppProvider(
                name: name, description: description, filesBefore: filesBefore, values: [:], problem: error)
        }
    }

    private enum Content {
        case xml(PropertyListDocument)
        case binary(BinaryPropertyList)

        func setting(_ values: [(key: FlagKeyPath, value: FlagValue?)]) throws -> Data {
            switch self {
            case .xml(let document): try document.setting(values).source
            case .binary(let list): try list.setting(values).data
            }
        }
    }

    private func content(upTo maximumSize: Int) throws(FileProblem) -> Content {
        let file: AtomicFile.Contents?
        do throws(FileAccessError) {
            file = try AtomicFile.readIfThere(url, maximumSize: maximumSize)
        } catch {
            throw FileProblem(error, in: url)
        }
        do throws(PropertyListError) {
            guard let data = file?.data else { return .xml(.empty()) }
            return BinaryPropertyList.isBinary(data)
                ? .binary(try BinaryPropertyList(data, maximumSize: maximumSize))
                : .xml(try PropertyListDocument(source: data, maximumSize: maximumSize))
        } catch {
            throw FileProblem(error, in: url)
        }
    }

    private typealias Held = (values: [FlagKeyPath: FlagValue], broken: [FlagKeyPath: FlagValueError])

    private func held(_ content: Content) throws(FileProblem) -> Held {
        switch content {
        case .xml(let document): try held(document)
        case .binary(let list): try held(list)
        }
    }

    /// What a flag can't have is ignored outside the flags, and breaks one flag in them.
    private func held(_ list: BinaryPropertyList) throws(FileProblem) -> Held {
        var entries: [String: FlagValue] = [:]
        var broken: [FlagKeyPath: FlagValueError] = [:]
        for name in list.names where isOfFlags(name) {
            do throws(FlagValueError) {
                entries[name] = try list.value(name)
            } catch {
                guard let key = key(of: name) else {
                    throw FileProblem(
                        "it contains a value that a flag can't have. Remove the value in the app.", fault: "\(error).",
                        in: url
                    )
                }
                broken[key] = error
            }
        }
        let document: PropertyListDocument
        do throws(PropertyListError) {
            document = try PropertyListDocument(root: .dictionary(entries))
        } catch {
            throw FileProblem(error, in: url)
        }
        let (values, others) = try held(document)
        return (values, others.merging(broken) { $1 })
    }

    private func isOfFlags(_ name: String) -> Bool {
        if case .dictionary(let inner) = form { name == keyPrefix + inner } else { name.hasPrefix(keyPrefix) }
    }

    /// Returns the flag at an entry of the root; `nil` for none.
    private func key(of name: String) -> FlagKeyPath? {
        if case .dictionary = form { return nil }
        guard name.hasPrefix(keyPrefix), name != keyPrefix else { return nil }
        let parts = name.dropFirst(keyPrefix.count).split(separator: "/", omittingEmptySubsequences: false)
        // What is no key path is no flag.
        guard parts.count <= FlagKeyPath.maximumCount else { return nil }
        return FlagKeyPath(components: parts.map(String.init))
    }

    private func held(_ document: PropertyListDocument) throws(FileProblem) -> Held {
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
        for (name, value) in entries {
            guard let key = key(of: name) else { continue }
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
            let content = try content(upTo: maximumSize)
            // As changes are planned, where a dictionary is one value again.
            let now = AppProvider(name: name, description: "", values: try held(content).values)
            for change in changes where !isLeft(change.before, as: now.value(of: change.key)) {
                throw PlainError("another program changed \(change.key) in the meantime")
            }
            let values = try changes.map { change in
                (key: place(of: change.key), value: try stored(change.after, at: change.key))
            }
            let target = AtomicFile.target(of: url)
            try AtomicFile.replace(
                target, with: try content.setting(values), mode: AtomicFile.look(at: target)?.mode ?? 0o600)
        } catch {
            throw PlainError("\(error)")
        }
    }

    /// Returns true if a value is as it was; an empty group counts as absent.
    private func isLeft(_ before: FlagValue?, as now: FlagValue?) -> Bool {
        now == before || before == nil && now == .dictionary([:])
    }

    private func stored(_ value: FlagValue?, at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if case .dictionary = form { return value }
        return try form.stored(value, at: key, in: nil)
    }
}
