import Foundation

/// A walk along a path from the root, through the targets of symbolic links.
struct FileWalk {
    struct Step {
        /// The folder, free of symbolic links.
        let folder: String
        let name: String

        var path: String { folder == "/" ? "/" + name : folder + "/" + name }
    }

    enum Entry {
        case folder
        case link
        case file
        case missing
        /// Unreadable, or a link that leads nowhere.
        case none
    }

    private var folder = "/"
    /// The remaining components, the next one last.
    private var components: [Substring]
    private var linkCount = 0

    init(_ path: String) {
        components = path.split(separator: "/").reversed()
    }

    var rest: [String] { components.reversed().map(String.init) }

    mutating func next() -> Step? {
        while let name = components.popLast() {
            switch name {
            case ".": continue
            case "..": folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path
            default: return Step(folder: folder, name: String(name))
            }
        }
        return nil
    }

    mutating func enter(_ step: Step) -> Entry {
        var status = stat()
        guard lstat(step.path, &status) == 0 else { return end(errno == ENOENT ? .missing : .none) }
        switch FileKind(status) {
        case .folder:
            folder = step.path
            return .folder
        case .link:
            linkCount += 1
            guard linkCount <= 40, let target = Self.target(ofLink: step.path) else { return end(.none) }
            if target.hasPrefix("/") { folder = "/" }
            components += target.split(separator: "/").reversed()
            return .link
        default:
            return end(.file)
        }
    }

    private mutating func end(_ entry: Entry) -> Entry {
        components = []
        return entry
    }

    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let characters = buffer.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
            let count = readlink(path, characters, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
