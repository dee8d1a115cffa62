import DurableFiles

/// Why a file could not be read or written, which, and what to do.
///
/// Its text is for people; what it says of the cause can be asked too, where `DurableFiles` is imported, which comes with
/// this library:
///
/// ```swift
/// import DurableFiles
/// import FeatureFlags
/// import FeatureFlagsXML
/// import Foundation
///
/// let provider = LocalProvider(localURL: URL(fileURLWithPath: "flags.xml"))
/// do {
///     try provider.setStoredValue(.bool(true), at: FlagKeyPath(components: ["checkout", "new_flow"]))
/// } catch let error as FileAccessError where error.isFull {
///     print("Make room for \(error.path), then try again.")
/// }
/// ```
public typealias FileAccessError = DurableFiles.FileAccessError
