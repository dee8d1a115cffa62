import CFileCalls
import Foundation

extension AtomicFile {
    /// The extended attributes of a file that a new one in its place would lack, since this process may not set them, such as a
    /// label of SELinux; found out with a new file beside it.
    package static func lostAttributes(of url: URL, writer: String) throws(FileAccessError) -> [String] {
        let replaced: OpenFile
        do throws(FileAccessError) {
            replaced = try OpenFile(url, for: .reading)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        let (temporary, file) = try newTemporary(beside: url, mode: 0o600, writer: writer)
        defer { unlink(temporary.path) }
        let names = Names()
        let result = flagboard_copy_attributes(
            replaced.descriptor, file.descriptor,
            { context, name in
                guard let context, let name else { return }
                Unmanaged<Names>.fromOpaque(context).takeUnretainedValue().all.append(String(cString: name))
            }, Unmanaged.passUnretained(names).toOpaque())
        let number = errno
        guard result == 0 else { throw FileAccessError(.init(errorNumber: number), path: url.path, action: "replaced") }
        return withExtendedLifetime(names) { names.all.sorted() }
    }

    private final class Names {
        var all: [String] = []
    }
}
