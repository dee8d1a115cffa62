import FeatureFlags

extension PropertyListDocument {
    /// This document with fields of dictionaries, which may stand in arrays, set or removed.
    ///
    /// - Parameters:
    ///   - dictionaries: The steps from the root down to each, none inside another, and what its fields are to hold; `nil`
    ///     removes a field.
    ///   - key: What the edit is for, where that is one thing.
    /// - Returns: The changed document, or this one where there are no such dictionaries or they hold just that.
    /// - Throws: Where a value can't be stored, or the edit turns out to change more than was asked.
    func setting(
        _ dictionaries: [(path: [PathStep], fields: [String: FlagValue?])], for key: FlagKeyPath?
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let changes = dictionaries.flatMap { path, fields -> [PropertyListChange] in
            guard let dictionary = node(at: path), dictionary.entries != nil else { return [] }
            return fields.sorted { $0.key < $1.key }
                .filter { name, value in dictionary.entry(name)?.node.value != value }
                .map { name, value in
                    PropertyListChange(path: path + [.key(name)], kind: value.map { .set($0) } ?? .remove)
                }
        }
        return try changing(changes, for: key)
    }
}
