import FeatureFlagsXML
import FlagHistory
import Foundation

/// A new file that takes another's place, while what stood there is kept beside it until the change is final.
///
/// Where the file system can, the two are swapped at one stroke. Where it can't, what stands there gets a second name first.
struct FileReplacement: Sendable {
    /// The calls that replace a file; tests put others in their place, to fail or to be raced at that very step.
    struct Actions: Sendable {
        var exchange: @Sendable (URL, URL) throws(FileAccessError) -> Void = {
            (temporary, url) throws(FileAccessError) in
            try AtomicFile.exchange(temporary, with: url)
        }
        var rename: @Sendable (URL, URL) throws(FileAccessError) -> Void = { (temporary, url) throws(FileAccessError) in
            try AtomicFile.rename(temporary, to: url)
        }
        var link: @Sendable (URL, URL) throws(FileAccessError) -> Void = { (url, backup) throws(FileAccessError) in
            try AtomicFile.link(url, as: backup)
        }
        /// Makes durable that a file was replaced.
        var synchronizeFolder: @Sendable (URL) throws(FileAccessError) -> Void = AtomicFile.synchronizeFolder
        /// Whether the files of a folder can be swapped.
        var canExchange: @Sendable (URL) throws(FileAccessError) -> Bool = { (url) throws(FileAccessError) in
            try AtomicFile.canExchange(beside: url, writer: Recovery.temporaryWriter)
        }
    }

    /// The file to replace.
    let url: URL
    /// The new file, complete and on the disk.
    let temporary: URL
    /// Whether the two are swapped rather than renamed.
    let exchanges: Bool
    let actions: Actions

    /// Where what stood at ``url`` is found once it is replaced.
    var displaced: URL { exchanges ? temporary : Self.backup(of: temporary) }

    /// The second name that what stands at a file gets, where files can't be swapped.
    static func backup(of temporary: URL) -> URL {
        temporary.deletingLastPathComponent().appending(path: temporary.lastPathComponent + "~")
    }

    /// Puts the new file in its place.
    ///
    /// - Throws: Where that is not possible; the file is as it was then.
    func install() throws(FileAccessError) {
        if exchanges { return try actions.exchange(temporary, url) }
        try actions.link(url, displaced)
        do {
            try actions.rename(temporary, url)
        } catch {
            unlink(displaced.path(percentEncoded: false))
            throw error
        }
    }

    /// Puts what was displaced back into its place, unless somebody else has written the file since.
    ///
    /// A swap that finds another file than the one it was to replace has displaced a newer edit, and puts that back.
    ///
    /// - Parameter hashAfter: The hash of the new file.
    /// - Returns: `false` where the file is somebody else's, which stays.
    /// - Throws: Where that is not possible, or somebody else writes the file at each try.
    func takeBack(_ hashAfter: Data) throws(FileAccessError) -> Bool {
        guard exchanges else {
            guard try FileReading.read(url)?.hash == hashAfter else { return false }
            try actions.rename(displaced, url)
            return true
        }
        var expected = hashAfter
        for _ in 0..<10 {
            guard let placing = try FileReading.read(temporary)?.hash else { break }
            try actions.exchange(temporary, url)
            if try FileReading.read(temporary)?.hash == expected { return expected == hashAfter }
            expected = placing
        }
        throw AtomicFile.changing(url)
    }

    /// Removes what is left beside the file; where that fails no harm is done, since the next start removes it.
    ///
    /// - Parameter log: Takes what could not be removed, and why.
    func discard(_ log: (String) -> Void) {
        for file in [temporary, Self.backup(of: temporary)] {
            let path = file.path(percentEncoded: false)
            guard unlink(path) != 0, errno != ENOENT else { continue }
            log("\(path) could not be removed: \(String(cString: strerror(errno)))")
        }
    }
}
