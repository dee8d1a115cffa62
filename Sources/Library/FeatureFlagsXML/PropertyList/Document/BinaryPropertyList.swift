import FeatureFlags
import Foundation

/// A binary property list whose root is a dictionary, as Xcode writes it into bundles, and `UserDefaults` on macOS.
///
/// Foundation reads it without the limits of XML: a small file of repeated references can fill the memory. So no
/// upload and no server's answer is read as binary.
package struct BinaryPropertyList {
    private var root: [String: Any]

    /// Returns `true` for the bytes of a binary property list.
    package static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

    /// Reads a binary property list; `maximumSize` is in bytes.
    package init(
        _ data: Data, maximumSize: Int = PropertyListDocument.largestMaximumSize
    ) throws(PropertyListError) {
        guard data.count <= maximumSize else {
            throw PropertyListError(.tooLarge(data.count, maximum: maximumSize), at: nil)
        }
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw PropertyListError(
                .unreadable("the binary property list is damaged (\(error.localizedDescription)); restore it"), at: nil)
        }
        guard let root = object as? [String: Any] else {
            throw PropertyListError(
                .unreadable("the root of the binary property list is not a dictionary; fix the file"), at: nil)
        }
        self.root = root
    }

    /// The names of the root's entries, unordered.
    package var names: some Collection<String> { root.keys }

    /// Returns an entry of the root; `nil` for none.
    ///
    /// Dates lose their fractions of a second, as in XML. Throws for what XML or a flag can't hold, such as a UID.
    package func value(_ name: String) throws(FlagValueError) -> FlagValue? {
        guard let object = root[name] else { return nil }
        let entry = FlagValue.dictionary(try FlagValue.entries(foundation: [name: object])).roundedToSeconds
        if let problem = PropertyListDocument.problem(with: entry) { throw FlagValueError(problem.reason) }
        guard case .dictionary(let entries) = entry else { return nil }
        return entries[name]
    }

    /// Returns the list with other values at some key paths, `nil` for none; all others are exactly as they were.
    package func setting(
        _ values: [(key: FlagKeyPath, value: FlagValue?)]
    ) throws(FlagValueError) -> BinaryPropertyList {
        var list = self
        for (key, value) in values {
            let object = try value.map { (value) throws(FlagValueError) in try value.foundationObject }
            try Self.put(object, at: key.components[...], of: key, in: &list.root)
        }
        return list
    }

    private static func put(
        _ object: Any?, at path: ArraySlice<String>, of key: FlagKeyPath, in entries: inout [String: Any]
    ) throws(FlagValueError) {
        guard let name = path.first else { return }
        if path.count == 1 {
            entries[name] = object
            return
        }
        if entries[name] == nil, object == nil { return }
        guard var inner = (entries[name] ?? [String: Any]()) as? [String: Any] else {
            throw FlagValueError("\(name) isn't a dictionary, so \(key.text) can't be set in it; fix the file")
        }
        try put(object, at: path.dropFirst(), of: key, in: &inner)
        entries[name] = inner
    }

    /// The bytes of the list.
    package var data: Data {
        get throws(PropertyListError) {
            do {
                return try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
            } catch {
                throw PropertyListError(.notStorable(error.localizedDescription), at: nil)
            }
        }
    }
}
