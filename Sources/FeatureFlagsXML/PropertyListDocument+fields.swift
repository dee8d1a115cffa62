import FeatureFlags

extension PropertyListDocument {
    /// This document with fields of a dictionary, which may stand in arrays, set or removed.
    ///
    /// - Parameters:
    ///   - fields: What each is to hold; `nil` removes it.
    ///   - path: The steps from the root down to the dictionary.
    ///   - key: What the edit is for.
    /// - Returns: The changed document, or this one where there is no such dictionary or it holds just that.
    /// - Throws: Where a value can't be stored, or the edit turns out to change more than was asked.
    func setting(
        _ fields: [String: FlagValue?], at path: [PathStep], for key: FlagKeyPath
    ) throws(PropertyListEditError) -> PropertyListDocument {
        guard let dictionary = node(at: path), dictionary.entries != nil else { return self }
        let changes = fields.sorted { $0.key < $1.key }
            .filter { name, value in dictionary.entry(name)?.node.value != value }
            .map { name, value in PropertyListChange(path: path + [.key(name)], value: value) }
        return try changing(changes, for: key)
    }
}
