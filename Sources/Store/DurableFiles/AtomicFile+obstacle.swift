import CFileCalls
import Foundation

extension AtomicFile {
    /// Finds what keeps a file from being replaced, without trying: a mount point, permissions, a volume that is read-only or
    /// full.
    ///
    /// - Returns: `nil` where nothing is known to be in the way, which a try alone can show.
    package static func obstacle(toReplacing url: URL) -> FileAccessError? {
        let (path, folder) = (url.path, url.deletingLastPathComponent().path)
        func error(_ cause: FileAccessError.Cause) -> FileAccessError {
            FileAccessError(cause, path: path, action: "replaced")
        }
        if flagboard_is_mount_point(path) == 1 { return error(.mountPoint) }
        for place in [path, folder] where access(place, W_OK) != 0 {
            let cause = FileAccessError.Cause(errorNumber: errno)
            // A file that is gone is another matter, and is told where it is read.
            if cause != .missing { return error(cause == .permission && place == folder ? .folderPermission : cause) }
        }
        var volume = statvfs()
        let size = look(at: url)?.size ?? 0
        guard statvfs(folder, &volume) == 0, volume.f_blocks > 0 else { return nil }
        // The blocks that only an administrator may use are none for others.
        let free = geteuid() == 0 ? volume.f_bfree : volume.f_bavail
        let room = UInt64(free).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return !room.overflow && room.partialValue < UInt64(size) ? error(.full) : nil
    }
}
