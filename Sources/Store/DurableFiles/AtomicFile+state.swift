import Foundation

extension AtomicFile {
    /// A file's identity, whatever its names.
    package struct Identity: Hashable, Comparable, Sendable {
        package let device, inode: UInt64

        package static func < (one: Identity, other: Identity) -> Bool {
            (one.device, one.inode) < (other.device, other.inode)
        }
    }

    /// A file's state, compared without a read.
    package struct Signature: Hashable, Sendable {
        package let identity: Identity
        package let kind: FileKind
        /// In bytes.
        package let size: Int
        package let mode: UInt32
        package let links: Int
        /// The time of the contents' last change, in ns since 1970.
        package let modified: Int128
        /// The time of the contents' or attributes' last change, in ns since 1970.
        package let changed: Int128

        init(_ status: stat) {
            #if canImport(Darwin)
                let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
            #else
                let (modified, changed) = (status.st_mtim, status.st_ctim)
            #endif
            identity = Identity(
                device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
            kind = FileKind(status)
            size = Int(status.st_size)
            mode = UInt32(status.st_mode) & 0o7777
            links = Int(status.st_nlink)
            self.modified = Self.nanoseconds(modified)
            self.changed = Self.nanoseconds(changed)
        }

        func isSameFile(as other: Signature) -> Bool {
            (identity, size) == (other.identity, other.size) && modified == other.modified
        }

        /// FAT's time step in ns, the coarsest of the usual file systems: two changes within it may leave no trace.
        private static let coarsestStep: Int128 = 2_000_000_000

        /// Returns `true` if every change from a moment on must alter the signature.
        ///
        /// No program can set back the time of the attributes' change.
        package func isSettled(at moment: Date) -> Bool {
            Int128(moment.timeIntervalSince1970 * 1_000_000_000) - max(modified, changed) > Self.coarsestStep
        }

        /// Returns 128 bits, since 64 end in 2262 and a file may have any year.
        private static func nanoseconds(_ time: timespec) -> Int128 {
            Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec)
        }
    }

    package struct Contents: Sendable {
        package let data: Data
        /// The index among the contents that the reader already had; `nil` if they are new.
        package let known: Int?
        /// The same before and after the read.
        package let signature: Signature
        /// `true` if every later change must alter ``signature``, so that an equal one saves a read.
        package let isSettled: Bool

        package init(data: Data, known: Int? = nil, signature: Signature, isSettled: Bool) {
            self.data = data
            self.known = known
            self.signature = signature
            self.isSettled = isSettled
        }
    }
}
