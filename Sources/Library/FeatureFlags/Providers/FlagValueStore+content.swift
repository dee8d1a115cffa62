extension FlagValueStore {
    /// All values of a store, or the reason why they can't be read.
    struct Content: Hashable, Sendable {
        /// One tree of values, and its past.
        struct Layer: Hashable, Sendable {
            let tree: Result<FlagValue, FlagValueError>
            /// The last readable tree.
            let lastTree: FlagValue
            /// The values that current ones replaced.
            let former: FormerValues

            /// Creates the first layer, or one that differs from a previous layer at some key paths.
            init(
                _ tree: Result<FlagValue, FlagValueError>, after previous: Layer? = nil,
                changing keys: [FlagKeyPath] = []
            ) {
                self.tree = tree
                guard case .success(let values) = tree else {
                    lastTree = previous?.lastTree ?? .dictionary([:])
                    former = previous?.former ?? FormerValues()
                    return
                }
                lastTree = values
                former = previous.map { $0.former.noting(keys, from: $0.lastTree, to: values) } ?? FormerValues()
            }
        }

        /// The layers in order of precedence: one, except in a store that joins others.
        let layers: [Layer]

        init(_ tree: Result<FlagValue, FlagValueError>) {
            layers = [Layer(tree)]
        }

        /// Creates the next content of a store that joins no others.
        init(_ tree: Result<FlagValue, FlagValueError>, after previous: Content, changing keys: [FlagKeyPath]) {
            layers = [Layer(tree, after: previous.layers.first, changing: keys)]
        }

        init(joining contents: [Content]) {
            layers = contents.flatMap(\.layers)
        }

        /// Returns the value in the first layer that holds one.
        func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
            for layer in layers {
                let tree = try layer.tree.get()
                do throws(BlockedPathError) {
                    if let value = try tree.element(at: key) { return value }
                } catch {
                    throw FlagValueError("\(error.text), not a dictionary, so \(key.text) can't be read")
                }
            }
            return nil
        }

        /// Returns the last readable value at a key path, then those it replaced, newest first.
        func lastValues(at key: FlagKeyPath) -> [FlagValue] {
            for layer in layers {
                do throws(BlockedPathError) {
                    guard let last = try layer.lastTree.element(at: key) else { continue }
                    return [last] + layer.former.values(at: key, in: layer.lastTree)
                } catch {
                    return layer.former.values(at: key, in: layer.lastTree)
                }
            }
            return []
        }

        func reading(at key: FlagKeyPath) -> Result<FlagValue?, FlagValueError> {
            do throws(FlagValueError) { return .success(try value(at: key)) } catch { return .failure(error) }
        }

        /// All layers merged in order of precedence; a failure if any of them can't be read.
        var tree: Result<FlagValue, FlagValueError> {
            layers.dropFirst().map(\.tree).reduce(layers.first?.tree ?? .success(.dictionary([:]))) { upper, lower in
                upper.flatMap { upper in lower.map(upper.laid(over:)) }
            }
        }

        var problem: FlagValueError? {
            if case .failure(let problem) = tree { problem } else { nil }
        }

        /// The tree; empty if it can't be read.
        var readableTree: FlagValue {
            if case .success(let tree) = tree { tree } else { .dictionary([:]) }
        }
    }
}

extension FlagValue {
    /// Returns the value at a key path; a whole number is an index of an array.
    ///
    /// - Throws: The first component above the leaf that is neither a dictionary nor an array with such an index.
    func element(at key: FlagKeyPath) throws(BlockedPathError) -> FlagValue? {
        var value = self
        for (depth, component) in key.components.enumerated() {
            let next: FlagValue?
            switch value {
            case .dictionary(let entries):
                next = entries[component]
            case .array(let values):
                guard let index = Int(component), String(index) == component else { fallthrough }
                next = values.indices.contains(index) ? values[index] : nil
            default:
                throw BlockedPathError(components: Array(key.components.prefix(depth)), value: value)
            }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// Merges this tree with a lower one, which fills its gaps.
    fileprivate func laid(over lower: FlagValue) -> FlagValue {
        guard case .dictionary(let entries) = self, case .dictionary(let lowerEntries) = lower else { return self }
        return .dictionary(entries.merging(lowerEntries) { $0.laid(over: $1) })
    }
}

/// Several stores as one, during the life of this object.
///
/// The first store with a value at a key path wins. If one can't be read, only the values of stores before it can.
final class JoinedStores: Sendable {
    /// The joined, read-only store.
    let store: FlagValueStore
    private let observations: [Observation]

    init(_ stores: [FlagValueStore]) {
        let joined = FlagValueStore(parts: stores.count)
        // A store calls this under its lock, and the joined store is locked within: never the reverse. The captures may
        // be released there, so none of them may lock a store in its `deinit`.
        observations = stores.enumerated().map { index, store in
            let (content, observation) = store.observe { joined.take($0, ofPart: index) }
            joined.begin(part: index, with: content)
            return observation
        }
        store = joined
    }

    deinit {
        for observation in observations { observation.end() }
    }
}
