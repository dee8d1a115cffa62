import DurableFiles
import Foundation

/// A file with a secret that another program made.
struct SecretFile {
    let url: URL
    /// The secret in words, with its article.
    let what: String

    /// A warning where every user of the machine can read the file; else `nil`.
    var caution: String? {
        guard let signature = AtomicFile.look(at: url), signature.mode & 0o004 != 0 else { return nil }
        let path = url.path(percentEncoded: false)
        return "\(path) is \(what), and every user of this machine can read it: run chmod o-r on it."
    }
}
