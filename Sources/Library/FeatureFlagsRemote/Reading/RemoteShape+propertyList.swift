import FeatureFlags
import FeatureFlagsXML
import Foundation

extension RemoteShape {
    /// What a property list says.
    ///
    /// - Parameters:
    ///   - body: The property list.
    ///   - maximumSize: The most bytes that it may have.
    /// - Returns: Its values.
    /// - Throws: What is wrong with it, and where.
    static func propertyList(_ body: Data, _ maximumSize: Int) throws(FlagValueError) -> RemoteContent {
        let document: PropertyListDocument
        do throws(PropertyListError) {
            document = try PropertyListDocument(source: body, maximumSize: maximumSize)
        } catch {
            throw FlagValueError("not a valid property list: \(error)")
        }
        guard case .dictionary(let entries) = document.root else {
            throw FlagValueError("the root of the property list is no <dict>")
        }
        return RemoteContent(entries: entries)
    }
}
