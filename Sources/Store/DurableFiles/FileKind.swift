import Foundation

/// What a name in a folder is of.
package enum FileKind: Hashable, Sendable {
    case regular, folder, link, socket, pipe, device, other

    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            case S_IFIFO: .pipe
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
    }

    /// The kind in words, with its article.
    package var name: String {
        switch self {
        case .regular: "a regular file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .socket: "a socket"
        case .pipe: "a named pipe"
        case .device: "a device"
        case .other: "something special"
        }
    }
}
