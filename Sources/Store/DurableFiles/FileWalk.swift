import Foundation

/// The way of a path from the root down, through the targets of symbolic links.
struct FileWalk {
    struct Step {
        /// A folder that no symbolic link is a part of.
        let folder: String
        /// The entry of the folder that the path goes through next.
        let name: String

        var path: String { folder == "/" ? "/" + name : folder + "/" + name }
    }

    enum Entry {
        case folder
        case link
        /// What ends the way: a file of whatever kind.
        case file
        /// What ends the way: there is nothing.
        case missing
        /// What ends the way: something that can't be looked at, or a link that leads nowhere.
        case none
    }

    private var folder = "/"
    /// What is still to go, the next component last.
    private var components: [Substring]
    private var linkCount = 0

    /// - Parameter path: An absolute path.
    init(_ path: String) {
        components = path.split(separator: "/").reversed()
    }

    /// What is still to go, in order.
    var rest: [String] { components.reversed().map(String.init) }

    /// The next step; `nil` at the end of the way.
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

    /// Goes a step.
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
