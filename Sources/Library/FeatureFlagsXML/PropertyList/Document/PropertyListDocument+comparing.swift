import FeatureFlags

extension PropertyListDocument {
    /// The key paths at which this document holds something else than another one, or a key is spelt otherwise.
    ///
    /// Dictionaries that both have are looked into; what only one of them has is told as a whole.
    ///
    /// - Parameter old: The other document.
    /// - Returns: The key paths, in no order.
    package func changedKeys(since old: PropertyListDocument) -> [FlagKeyPath] {
        var keys: [FlagKeyPath] = []
        Self.compare(old.tree.element, tree.element, below: []) { keys.append(FlagKeyPath(components: $0)) }
        return keys
    }

    /// The places at which an array of the root dictionary has other elements than that of another document.
    ///
    /// - Parameters:
    ///   - name: The array's key.
    ///   - old: The other document.
    /// - Returns: The places, in order; `nil` where the arrays are not equally long, or anything else differs too.
    func changedElements(of name: String, since old: PropertyListDocument) -> [Int]? {
        guard case .dictionary(let before) = old.tree.element.content,
            case .dictionary(let after) = tree.element.content, before.count == after.count
        else { return nil }
        var places: [Int] = []
        for child in after.runs.flatMap(\.children) {
            guard let position = before.position(of: child.key), case let known = before[position].child,
                known.key.utf8.elementsEqual(child.key.utf8)
            else { return nil }
            switch (known.element.content, child.element.content) {
            case (.array(let before), .array(let after)) where before.isSame(as: after): break
            case (.array(let before), .array(let after)) where child.key == name:
                guard before.count == after.count else { return nil }
                places = after.places(differingFrom: before)
            default:
                guard known.element.value == child.element.value else { return nil }
            }
        }
        return places
    }

    private static func compare(
        _ old: PropertyListElement, _ new: PropertyListElement, below path: [String], _ tell: ([String]) -> Void
    ) {
        switch (old.content, new.content) {
        case (.dictionary(let before), .dictionary(let after)):
            // What an edit left alone is one and the same in both.
            let shared = before.sharedRuns(with: after)
            for child in before.children(besides: shared) where after.position(of: child.key) == nil {
                tell(path + [child.key])
            }
            for child in after.children(besides: shared) {
                let inner = path + [child.key]
                guard let position = before.position(of: child.key),
                    case let known = before[position].child, known.key.utf8.elementsEqual(child.key.utf8)
                else {
                    tell(inner)
                    continue
                }
                compare(known.element, child.element, below: inner, tell)
            }
        case (.array(let before), .array(let after)) where before.isSame(as: after): break
        default:
            if !path.isEmpty, old.value != new.value { tell(path) }
        }
    }
}

extension PropertyListChildren {
    /// The runs that both have: where each of them lies in memory.
    fileprivate func sharedRuns(with other: PropertyListChildren) -> Set<UnsafePointer<PropertyListChild>> {
        Set(runs.lazy.compactMap(\.address)).intersection(other.runs.lazy.compactMap(\.address))
    }

    /// The children that are not in some runs.
    fileprivate func children(besides shared: Set<UnsafePointer<PropertyListChild>>) -> [PropertyListChild] {
        runs.filter { $0.address.map(shared.contains) != true }.flatMap(\.children)
    }

    /// The places at which other children of an array stand, of which there are as many; what both share is not looked into.
    fileprivate func places(differingFrom other: PropertyListChildren) -> [Int] {
        var places: [Int] = []
        for run in runs {
            let same = other.run(of: run.first)
            guard other.runs[same].first != run.first || other.runs[same].address != run.address else { continue }
            places += zip(run.first..., run.children).lazy
                .filter { other[$0].child.element.value != $1.element.value }.map(\.0)
        }
        return places
    }

    fileprivate func isSame(as other: PropertyListChildren) -> Bool {
        runs.count == other.runs.count && zip(runs, other.runs).allSatisfy { $0.address == $1.address }
    }
}

extension PropertyListChildren.Run {
    /// Where its children lie in memory: no other list of children lies there while this one is held.
    fileprivate var address: UnsafePointer<PropertyListChild>? { children.withUnsafeBufferPointer(\.baseAddress) }
}
