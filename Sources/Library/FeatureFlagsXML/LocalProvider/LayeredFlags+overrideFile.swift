import FeatureFlags
import Foundation

extension LayeredFlags {
    /// Loads a collection whose first level is a property list file, as SwiftFeatureConfigs finds it: the one that is
    /// given, else the collection's own in the app's resources (``overrideFile(in:)``), else none.
    ///
    /// - Parameters:
    ///   - collectionType: The type of the collection.
    ///   - overrideFile: The file, which only developers and testers should have; each collection can have another. It is
    ///     never written, and its name is the provider's.
    ///   - persisted: The third level, which is there when the process starts again.
    ///   - keyConfiguration: How key paths are made from the names of properties.
    public convenience init(
        _ collectionType: Collection.Type, overrideFile: URL?, persisted: any FlagsProvider,
        keyConfiguration: KeyConfiguration = KeyConfiguration(keyTransform: .none)
    ) {
        let file = overrideFile ?? Bundle.main.resourceURL.flatMap(Self.overrideFile)
        self.init(
            collectionType,
            override: file.map { LocalProvider(localURL: $0, name: $0.lastPathComponent, isWritable: false) },
            persisted: persisted, keyConfiguration: keyConfiguration)
    }

    /// The file in a folder that is named as the collection, with `.plist`.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: `nil` where there is none.
    public static func overrideFile(in folder: URL) -> URL? {
        let file = folder.appendingPathComponent("\(Collection.self).plist")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
