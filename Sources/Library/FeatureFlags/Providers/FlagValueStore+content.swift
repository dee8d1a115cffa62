extension FlagValueStore {
    /// All that is held, or why it can't be read.
    struct Content: Hashable, Sendable {
        /// One tree, as it is and as it was.
        struct Layer: Hashable, Sendable {
            let tree: Result<FlagValue, FlagValueError>
            /// The last tree that could be read.
            let lastTree: FlagValue
            /// What values replaced.
            let former: FormerValues

            /// The first tree, or what takes the place of another one, at the key paths at which the two differ.
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

        /// In order of precedence: one, but in a store that joins others.
        let layers: [Layer]

        init(_ tree: Result<FlagValue, FlagValueError>) {
            layers = [Layer(tree)]
        }

        /// What takes the place of the content of a store that joins no others.
        init(_ tree: Result<FlagValue, FlagValueError>, after previous: Content, changing keys: [FlagKeyPath]) {
            layers = [Layer(tree, after: previous.layers.first, changing: keys)]
        }

        init(joining contents: [Content]) {
            layers = contents.flatMap(\.layers)
        }

        /// What the first layer holds that holds any.
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

        /// What was last held at a key path, newest first: what is there now, or was while that could be read, and what that replaced.
        ///
        /// Empty where nothing is there, or was.
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

        /// What ``value(at:)`` returns or throws.
        func reading(at key: FlagKeyPath) -> Result<FlagValue?, FlagValueError> {
            do throws(FlagValueError) { return .success(try value(at: key)) } catch { return .failure(error) }
        }

        /// The one tree, or the layers' laid over one another; or why one of them can't be read.
        var tree: Result<FlagValue, FlagValueError> {
            layers.dropFirst().map(\.tree).reduce(layers.first?.tree ?? .success(.dictionary([:]))) { upper, lower in
                upper.flatMap { upper in lower.map(upper.laid(over:)) }
            }
        }

        /// Why something can't be read, where it can't.
        var problem: FlagValueError? {
            if case .failure(let problem) = tree { problem } else { nil }
        }

        /// The tree; empty where it can't be read.
        var readableTree: FlagValue {
            if case .success(let tree) = tree { tree } else { .dictionary([:]) }
        }
    }
}

extension FlagValue {
    /// The value below this one, where a whole number counts into an array from 0.
    ///
    /// - Returns: `nil` where there is none.
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

    /// This tree with what another one holds where this one holds none.
    fileprivate func laid(over lower: FlagValue) -> FlagValue {
        guard case .dictionary(let entries) = self, case .dictionary(let lowerEntries) = lower else { return self }
        return .dictionary(entries.merging(lowerEntries) { $0.laid(over: $1) })
    }
}

/// Several stores as one, for as long as this object lives.
///
/// The first store that holds a value at a key path wins; where one can't be read, neither can what the stores before it
/// don't hold.
final class JoinedStores: Sendable {
    /// What the stores hold together; nothing can be changed through it.
    let store: FlagValueStore
    private let observations: [Observation]

    /// Joins stores.
    init(_ stores: [FlagValueStore]) {
        let joined = FlagValueStore(parts: stores.count)
        // A store calls this while it is locked, and the joined one is locked within: never the other way round. What it
        // captures may be let go of there, so no `deinit` of that may lock a store.
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
