import DurableFiles
import Foundation

extension Workspace {
    /// The files that changes replace and that have other names (hard links).
    ///
    /// A change makes a new file for one name alone, which is right where the other one is a backup, and not where an app
    /// reads it.
    var linkedFiles: [URL] {
        let values = values.filter(\.provider.isWritable).map { ($0.provider.url, $0.reading) }
        return (values + [(manifest.url, manifest.reading)]).compactMap { url, reading in
            (reading?.signature.links ?? 1) > 1 ? url : nil
        }
    }

    /// Tells the operator which files have other names.
    func tellLinkedFiles(besides told: [URL], _ log: (String) -> Void) {
        for url in linkedFiles where !told.contains(url) {
            log(
                "\(url.path(percentEncoded: false)): it has another name (a hard link); the next change parts the two, and "
                    + "what reads the other name goes on with what is there now")
        }
    }
}
