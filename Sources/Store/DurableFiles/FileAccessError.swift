import Foundation

/// Why a file could not be read or written, which, and what to do.
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
        case system(Int32)

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
            case .missing: "there is no such file; check the path"
            case .missingFolder: "its folder does not exist; make the folder or check the path"
            case .notRegular(.folder): "it is a folder; give the path of a file"
            case .notRegular(let kind): "it is \(kind.name), no regular file; give the path of one"
            case .permission: "permission denied; change the permissions or run as another user"
            case .folderPermission:
                "its folder doesn't allow new files, and every change makes one; change the folder's permissions, or run as "
                    + "another user"
            case .ownership:
                "the new file could not be given its owner, group, access control list and attributes; run as its owner, or "
                    + "make it belong to the user and group that you run as"
            case .readOnlyVolume: "its volume is mounted read-only; mount it writable or use another place"
            case .full: "the volume is full; make room"
            case .tooLarge(let size, let maximum):
                "it has \(size) bytes, more than the \(maximum) that are read; put a smaller one there"
            case .changing: "another program keeps writing it; try again when that one is done"
            case .folderLocked:
                "another program keeps its folder locked, by which the writers in it take turns; end that program, or "
                    + "try again when it is done"
            case .mountPoint:
                "it is a mount point; mount the folder that it stands in instead (in a container, "
                    + "-v ./flags:/flags and not -v ./flags.xml:/flags/flags.xml)"
            case .system(let number): "\(String(cString: strerror(number))) (error \(number)); check the disk"
            }
        }
    }

    /// The file's path.
    public let path: String
    private let action: String
    private let cause: Cause

    init(_ cause: Cause, path: String, action: String) {
        self.path = path
        self.action = action
        self.cause = cause
    }

    /// Makes sure that a system call was done.
    static func check(_ result: Int32, _ url: URL, _ action: String) throws(FileAccessError) {
        guard result == 0 else { throw FileAccessError(.init(errorNumber: errno), path: url.path, action: action) }
    }

    /// Makes sure that a system call that puts a file in another's place was done.
    static func checkReplaced(_ result: Int32, _ url: URL) throws(FileAccessError) {
        let number = errno
        // What is mounted at a path is the one thing that keeps it busy for a rename.
        if result != 0, number == EBUSY { throw FileAccessError(.mountPoint, path: url.path, action: "replaced") }
        errno = number
        try check(result, url, "replaced")
    }

    /// What a writer throws that gives up since others keep writing the file.
    package static func keepsChanging(_ url: URL) -> FileAccessError {
        FileAccessError(.changing, path: url.path, action: "written")
    }

    /// Whether there is no such file.
    public var isMissing: Bool { cause == .missing }

    /// Whether the file has more bytes than are read.
    public var isTooLarge: Bool { if case .tooLarge = cause { true } else { false } }

    /// Whether there is no room on the volume.
    public var isFull: Bool { cause == .full }

    /// What there is in the file's place, where that is no regular file.
    package var otherKind: FileKind? { if case .notRegular(let kind) = cause { kind } else { nil } }

    /// Whether the file is a mount point of its own, so that none can take its place.
    package var isOfMountPoint: Bool { cause == .mountPoint }

    /// Whether the process may not do it, or no process may on that volume.
    package var isDenied: Bool { [.permission, .folderPermission, .readOnlyVolume].contains(cause) }

    /// The cause and what to do, as a clause.
    package var clause: String { cause.text }

    /// Whether the file system can't do what was asked at all.
    package var isUnsupported: Bool { [.system(EINVAL), .system(ENOSYS), .system(ENOTSUP)].contains(cause) }

    /// Whether there is a file where a new one was to be made.
    package var isInTheWay: Bool { cause == .system(EEXIST) }
}

extension FileAccessError: CustomStringConvertible {
    /// The path, the cause, and what to do.
    public var description: String { "\(path) can't be \(action): \(cause.text)" }

    /// The cause and what to do, where the file is named beside it.
    package var unnamedDescription: String { "it can't be \(action): \(cause.text)" }
}
