extension FlagValue {
    /// The key paths at which two trees of dictionaries differ, sorted.
    ///
    /// A dictionary on both sides is looked into; one that is there on one side alone counts as its values, and where it is
    /// empty as itself.
    package func differences(from other: FlagValue) -> [FlagKeyPath] {
        var keys: [FlagKeyPath] = []
        Self.compare(self, other, at: [], into: &keys)
        return keys.sorted()
    }

    private static func compare(
        _ left: FlagValue?, _ right: FlagValue?, at path: [String], into keys: inout [FlagKeyPath]
    ) {
        if left == right { return }
        let (leftEntries, rightEntries) = (entries(left), entries(right))
        let names = Set((leftEntries ?? [:]).keys).union((rightEntries ?? [:]).keys)
        let isScalar = (left != nil && leftEntries == nil) || (right != nil && rightEntries == nil)
        if !path.isEmpty, isScalar || names.isEmpty { keys.append(FlagKeyPath(components: path)) }
        for name in names { compare(leftEntries?[name], rightEntries?[name], at: path + [name], into: &keys) }
    }

    private static func entries(_ value: FlagValue?) -> [String: FlagValue]? {
        if case .dictionary(let entries) = value { entries } else { nil }
    }
}
