import DurableFiles
import Foundation

struct SecretFile {
    let url: URL
    /// The secret in words, with its article.
    let what: String

    /// Set if every user of the machine can read the file.
    var caution: String? {
        guard let signature = AtomicFile.look(at: url), signature.mode & 0o004 != 0 else { return nil }
        let path = url.path(percentEncoded: false)
        return "every user on this machine can read \(path), which contains \(what). Run chmod o-r on it."
    }
}

enum LocalUser {
    /// `uid 1234` if the machine knows no name, as in some containers.
    ///
    /// Not from the environment, which may name the user of before.
    static let name: String = name(of: geteuid())

    static func name(of id: uid_t) -> String {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16_384)
        let code = getpwuid_r(id, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil, let text = entry.pw_name else { return "uid \(id)" }
        let name = String(cString: text)
        return name.isEmpty ? "uid \(id)" : name
    }
}
