import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Returns this document with an entry under another name in its dictionary, changing only the bytes of its key.
    ///
    /// - Parameters:
    ///   - key: The path of the entry.
    ///   - name: The new last component.
    /// - Returns: The changed document; `nil` if there is no such entry, or there is one of the new name.
    /// - Throws: An error if the name can't be stored, or the edit changes more than requested.
    package func renaming(_ key: FlagKeyPath, to name: String) throws(PropertyListEditError) -> PropertyListDocument? {
        let path = key.components.map(PathStep.key)
        guard let last = key.components.last, let group = node(at: path.dropLast()), let entry = group.entry(last),
            group.entry(name) == nil
        else { return nil }
        if let problem = PropertyListWriter.problem(with: name) {
            throw PropertyListEditError(.notStorable(problem), key: key)
        }
        let element = "<key>\(PropertyListLayout(self).writer.escaped(name))</key>"
        let entries = [entry] + (group.repetition(of: last)?.others ?? [])
        return try applying(
            entries.map { SourceEdit(range: $0.keyRange, replacement: Data(element.utf8)) }, for: key,
            expecting: [
                PropertyListChange(path: path, kind: .remove),
                PropertyListChange(path: path.dropLast() + [.key(name)], kind: .set(entry.node.value)),
            ])
    }
}
