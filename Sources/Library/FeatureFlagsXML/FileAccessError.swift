import DurableFiles

/// A file that could not be read or written, with the cause and the remedy.
///
/// Import `DurableFiles`, which comes with this library, to ask for the cause:
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
