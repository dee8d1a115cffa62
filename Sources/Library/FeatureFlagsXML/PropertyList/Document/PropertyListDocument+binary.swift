import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Returns `true` for the bytes of a binary property list, as Xcode writes them into bundles.
    static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

    /// Creates the XML property list with the values of a binary one, whose root is a dictionary.
    ///
    /// Foundation reads it without the limits of XML: a small file of repeated references can fill the memory. So no
    /// upload and no server's answer is read as binary.
    init(binary data: Data) throws(PropertyListError) {
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw PropertyListError(
                .unreadable("the binary property list is damaged (\(error.localizedDescription)); restore it"), at: nil)
        }
        guard let entries = root as? [String: Any] else {
            throw PropertyListError(
                .unreadable("the root of the binary property list is not a dictionary; fix the file"), at: nil)
        }
        let values: [String: FlagValue]
        do throws(FlagValueError) {
            values = try FlagValue.entries(foundation: entries)
        } catch {
            throw PropertyListError(
                .unreadable(
                    "the binary property list has a value that a flag can't have: \(error)"), at: nil)
        }
        try self.init(root: .dictionary(values))
    }

    /// The values as a binary property list.
    var binary: Data {
        get throws(PropertyListError) {
            do {
                return try PropertyListSerialization.data(
                    fromPropertyList: try root.foundationObject, format: .binary, options: 0)
            } catch {
                throw PropertyListError(.notStorable("\(error)"), at: nil)
            }
        }
    }
}
