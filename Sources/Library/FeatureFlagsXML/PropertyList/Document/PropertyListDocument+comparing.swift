import FeatureFlags

extension PropertyListDocument {
    /// Returns the key paths with different values or spellings, unordered; a dictionary of only one document is one
    /// path.
    package func changedKeys(since old: PropertyListDocument) -> [FlagKeyPath] {
        var keys: [FlagKeyPath] = []
        Self.compare(old.tree.element, tree.element, below: []) { keys.append(FlagKeyPath(components: $0)) }
        return keys
    }

    /// Returns the differing places of an array, or `nil` if the lengths or anything else differs.
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
            // Parts that an edit left alone are shared.
            let shared = before.sharedRuns(with: after)
            let (old, new) = (before.children(besides: shared), after.children(besides: shared))
            // An edit of values alone leaves the keys as they were, so that the children pair up in order.
            if old.count == new.count, zip(old, new).allSatisfy({ $0.key.utf8.elementsEqual($1.key.utf8) }) {
                for (known, child) in zip(old, new) where !known.element.isSameScalar(as: child.element) {
                    compare(known.element, child.element, below: path + [child.key], tell)
                }
                return
            }
            for child in old where after.position(of: child.key) == nil { tell(path + [child.key]) }
            for child in new {
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

extension PropertyListElement {
    fileprivate func isSameScalar(as other: PropertyListElement) -> Bool {
        guard case .scalar(let own) = content, case .scalar(let value) = other.content else { return false }
        return own == value
    }
}

extension PropertyListChildren {
    fileprivate func sharedRuns(with other: PropertyListChildren) -> Set<UnsafePointer<PropertyListChild>> {
        Set(runs.lazy.compactMap(\.address)).intersection(other.runs.lazy.compactMap(\.address))
    }

    fileprivate func children(besides shared: Set<UnsafePointer<PropertyListChild>>) -> [PropertyListChild] {
        runs.filter { $0.address.map(shared.contains) != true }.flatMap(\.children)
    }

    /// Returns the differing places of lists of the same length, skipping shared runs.
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
    /// The address of the children, unique while this run exists.
    fileprivate var address: UnsafePointer<PropertyListChild>? { children.withUnsafeBufferPointer(\.baseAddress) }
}
