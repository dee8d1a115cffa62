import FeatureFlags
import Foundation

/// A property list of `UserDefaults`, in which an app's `UserDefaultsProvider` keeps flags.
///
/// ```swift
/// let defaults = DefaultsFile(
///     name: "Defaults", url: URL(filePath: "/home/ada/.config/shop.plist"), form: .values, keyPrefix: "flags/")
/// var files = FlagFiles(values: URL(filePath: "shop.xml"))
/// files.defaults = [defaults]
/// ```
///
/// On Linux, Foundation keeps the suite `shop` there. Changes touch the bytes of one value; a binary list, as on macOS,
/// is written anew with the other values as they were. A running app reads them when it next synchronizes, and may
/// overwrite them: better connect it.
public struct DefaultsFile: Hashable, Sendable {
    /// The provider's unique name.
    public let name: String
    /// The file, which need not exist.
    public let url: URL
    /// The form of the values.
    public let form: UserDefaultsProvider.Form
    /// The start of every key.
    public let keyPrefix: String
    /// True if changes are allowed.
    public let isWritable: Bool
    /// The number of values files that precede it.
    public let filesBefore: Int

    /// Names a file.
    public init(
        name: String, url: URL, form: UserDefaultsProvider.Form, keyPrefix: String = "", isWritable: Bool = true,
        filesBefore: Int = .max
    ) {
        (self.name, self.url, self.form, self.keyPrefix) = (name, url, form, keyPrefix)
        (self.isWritable, self.filesBefore) = (isWritable, filesBefore)
    }
}
