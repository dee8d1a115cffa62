import Foundation

extension AtomicFile {
    /// What tells a file from all others, whatever its names.
    package struct Identity: Hashable, Comparable, Sendable {
        /// The numbers of the device and, on it, of the inode.
        package let device, inode: UInt64

        /// An order that every process has.
        package static func < (one: Identity, other: Identity) -> Bool {
            (one.device, one.inode) < (other.device, other.inode)
        }
    }

    /// What tells one state of a file from another without reading it.
    package struct Signature: Hashable, Sendable {
        /// What tells the file from all others.
        package let identity: Identity
        /// What the name is of.
        package let kind: FileKind
        /// The size in bytes.
        package let size: Int
        /// The permission bits.
        package let mode: UInt32
        /// How many names the file has (hard links).
        package let links: Int
        /// The time of the last change of the contents, in nanoseconds since 1970.
        package let modified: Int128
        /// The time of the last change of the contents or the attributes, in nanoseconds since 1970.
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

        /// Whether two looks met the same file with the same contents, also under another name.
        func isSameFile(as other: Signature) -> Bool {
            (identity, size) == (other.identity, other.size) && modified == other.modified
        }

        /// How far apart the times of a file's changes may be for one of them to leave no trace in the signature: FAT keeps
        /// them in steps of 2 s, which is the coarsest of the usual file systems; others' clocks stand still for 10 ms.
        private static let coarsestStep: Int128 = 2_000_000_000

        /// Whether every change from a moment on must show in the signature, since the last one was well before it.
        ///
        /// The attributes' time counts too: unlike that of the contents, no program can set it back.
        package func isSettled(at moment: Date) -> Bool {
            Int128(moment.timeIntervalSince1970 * 1_000_000_000) - max(modified, changed) > Self.coarsestStep
        }

        /// A file's times can be set to any year, and 64 bits end in 2262.
        private static func nanoseconds(_ time: timespec) -> Int128 {
            Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec)
        }
    }

    /// A file's bytes with the state that they belong to.
    package struct Contents: Sendable {
        /// The bytes.
        package let data: Data
        /// Which of the contents that the reader knew these are, where they are one of them.
        package let known: Int?
        /// The state of the file from before to after the read.
        package let signature: Signature
        /// Whether any later change must show in ``signature``, so that the file need not be read again while that stays.
        package let isSettled: Bool

        /// Bytes that a file is known to hold.
        ///
        /// - Parameters:
        ///   - data: The bytes.
        ///   - isSettled: Whether any later change must show in it.
        package init(data: Data, known: Int? = nil, signature: Signature, isSettled: Bool) {
            self.data = data
            self.known = known
            self.signature = signature
            self.isSettled = isSettled
        }
    }
}
