extension FlagValueStore {
    /// All that is held, or why it can't be read.
    struct Content: Hashable, Sendable {
        /// Trees in order of precedence: one, but in a store that joins others.
        let layers: [Result<FlagValue, FlagValueError>]

        init(_ tree: Result<FlagValue, FlagValueError>) {
            layers = [tree]
        }

        init(joining contents: [Content]) {
            layers = contents.flatMap(\.layers)
        }

        /// What the first layer holds that holds any.
        func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
            for layer in layers {
                let tree = try layer.get()
                do throws(BlockedPathError) {
                    if let value = try tree.element(at: key) { return value }
                } catch {
                    throw FlagValueError("\(error.text), not a dictionary, so \(key.text) can't be read")
                }
            }
            return nil
        }

        /// What ``value(at:)`` returns or throws.
        func reading(at key: FlagKeyPath) -> Result<FlagValue?, FlagValueError> {
            do throws(FlagValueError) { return .success(try value(at: key)) } catch { return .failure(error) }
        }

        /// The one tree, or the layers' laid over one another; or why one of them can't be read.
        var tree: Result<FlagValue, FlagValueError> {
            layers.dropFirst().reduce(layers.first ?? .success(.dictionary([:]))) { upper, lower in
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
