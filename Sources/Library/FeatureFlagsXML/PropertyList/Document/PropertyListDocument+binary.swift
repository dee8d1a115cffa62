import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Creates the XML property list with the values of a binary one.
    package init(binary list: BinaryPropertyList) throws(PropertyListError) {
        var values: [String: FlagValue] = [:]
        for name in list.names {
            do throws(FlagValueError) {
                values[name] = try list.value(name)
            } catch {
                throw PropertyListError(
                    .unreadable("the binary property list has a value that a flag can't have: \(error)"), at: nil)
            }
        }
        try self.init(root: .dictionary(values))
    }

    /// The values as a binary property list.
    package var binary: Data {
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
