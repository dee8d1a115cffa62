import Foundation

/// A failed read or write: the file, the cause, and the remedy.
public struct FileAccessError: Error, Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        case missing
        case missingFolder
        case notRegular(FileKind)
        case permission
        case folderPermission
        case ownership
        case readOnlyVolume
        case full
        case tooLarge(size: Int, maximum: Int)
        case changing
        case folderLocked
        case mountPoint
        case held(by: String, as: String)
        case system(Int32)
        case other(String)

        init(errorNumber: Int32) {
            self =
                switch errorNumber {
                case ENOENT, ENOTDIR: .missing
                case EISDIR: .notRegular(.folder)
                case EACCES, EPERM: .permission
                case EROFS: .readOnlyVolume
                case ENOSPC, EDQUOT: .full
                default: .system(errorNumber)
                }
        }

        var text: String {
            switch self {
            case .missing: "the file doesn't exist; check the path"
            case .missingFolder: "its folder doesn't exist; create the folder or check the path"
            case .notRegular(.folder): "it is a folder; enter the path of a file"
            case .notRegular(let kind): "it is \(kind.name), not a regular file; enter the path of a regular file"
            case .permission: "permission denied; change the permissions or run as another user"
            case .folderPermission:
                "its folder doesn't allow new files, which every change needs; change the folder's permissions, or run "
                    + "as another user"
            case .ownership:
                "can't keep the file's owner, group, access control list and attributes; run as the file's owner, or "
                    + "make the file belong to your user and group"
            case .readOnlyVolume: "its volume is mounted read-only; mount it writable or use another location"
            case .full: "the disk is full; free disk space"
            case .tooLarge(let size, let maximum):
                "it has \(size) bytes, and the limit is \(maximum); use a smaller file"
            case .changing: "another program keeps changing it; try again when that program is done"
            case .folderLocked:
                "another program keeps the folder locked; stop that program, or try again when it is done"
            case .mountPoint:
                "it is a mount point; mount its folder instead (in a container, -v ./flags:/flags instead of -v "
                    + "./flags.xml:/flags/flags.xml)"
            case .held(let holder, _): "it is locked by \(holder); stop that process first"
            case .other(let text): text
            case .system(ENAMETOOLONG): "File name too long; use a shorter name or path"
            case .system(let number): "\(String(cString: strerror(number))) (error \(number)); check the disk"
            }
        }
    }

    /// The file's path.
    public let path: String
    /// An infinitive: `read`.
    package let action: String
    private let cause: Cause

    init(_ cause: Cause, path: String, action: String) {
        self.path = path
        self.action = action
        self.cause = cause
    }

    static func check(_ result: Int32, _ url: URL, _ action: String) throws(FileAccessError) {
        guard result == 0 else { throw FileAccessError(.init(errorNumber: errno), path: url.path, action: action) }
    }

    static func checkReplaced(_ result: Int32, _ url: URL) throws(FileAccessError) {
        let number = errno
        // EBUSY from a rename has one cause: a mount at the path.
        if result != 0, number == EBUSY { throw FileAccessError(.mountPoint, path: url.path, action: "replace") }
        errno = number
        try check(result, url, "replace")
    }

    package static func keepsChanging(_ url: URL) -> FileAccessError {
        FileAccessError(.changing, path: url.path, action: "write")
    }

    /// `true` if the file does not exist.
    public var isMissing: Bool { cause == .missing }

    /// `true` if the file exceeds the maximum size.
    public var isTooLarge: Bool { if case .tooLarge = cause { true } else { false } }

    /// `true` if the volume is full.
    public var isFull: Bool { cause == .full }

    /// The process that holds a lock, in its own words, and the path by which it has the file.
    package var holder: (name: String, path: String)? {
        if case .held(let holder, let path) = cause { (holder, path) } else { nil }
    }

    package var otherKind: FileKind? { if case .notRegular(let kind) = cause { kind } else { nil } }

    package var isOfMountPoint: Bool { cause == .mountPoint }

    package var isDenied: Bool { [.permission, .folderPermission, .readOnlyVolume].contains(cause) }

    package var clause: String { cause.text }

    package var isUnsupported: Bool { [.system(EINVAL), .system(ENOSYS), .system(ENOTSUP)].contains(cause) }

    package var isInTheWay: Bool { cause == .system(EEXIST) }
}

extension FileAccessError: CustomStringConvertible {
    /// The path, the cause, and the remedy.
    public var description: String { "can't \(action) \(path): \(cause.text)" }
}
