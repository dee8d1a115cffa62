import DurableFiles
import Foundation

/// A folder of source code: its Swift files, but for those in hidden folders such as `.build`.
///
/// No symbolic link within it is followed, so that nothing outside of it is read.
package struct SourceFolder: Sendable {
    /// The most bytes that are read of a file.
    package static let maximumSize = 4 * 1024 * 1024

    /// The folder itself, with no symbolic link in its path.
    package let url: URL

    /// - Parameter url: The folder.
    /// - Throws: ``SourceAccessError`` where it is none.
    package init(_ url: URL) throws(SourceAccessError) {
        guard AtomicFile.look(at: url)?.kind == .folder else {
            throw SourceAccessError("\(url.path) is no folder that can be read; give the folder of the source code")
        }
        self.url = AtomicFile.target(of: url)
    }

    /// The files as they are, by their paths from the folder, and what can't be read.
    func files() -> (files: [String: AtomicFile.Signature], problems: [SourceProblem]) {
        var (files, problems): ([String: AtomicFile.Signature], [SourceProblem]) = ([:], [])
        var waiting = [""]
        while let folder = waiting.popLast() {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: url.path + "/" + folder)
            } catch {
                problems.append(SourceProblem(file: folder, reason: "the folder can't be read"))
                continue
            }
            for name in names where !name.hasPrefix(".") {
                let path = folder + name
                let place = URL(fileURLWithPath: url.path + "/" + path)
                do throws(FileAccessError) {
                    switch try AtomicFile.examine(place) {
                    case let signature? where signature.kind == .folder: waiting.append(path + "/")
                    case let signature? where signature.kind == .regular && name.hasSuffix(".swift"):
                        files[path] = signature
                    case nil where name.unicodeScalars.contains("\u{FFFD}"):
                        // What is no UTF-8 was replaced in the name, and there is no file of the name as it is now.
                        problems.append(SourceProblem(file: path, reason: "its name is no UTF-8; rename it"))
                    default: continue
                    }
                } catch {
                    problems.append(SourceProblem(file: path, reason: error.clause))
                }
            }
        }
        return (files, problems)
    }

    /// What a file holds.
    ///
    /// - Returns: Its text; what is no UTF-8 stands as U+FFFD, as the compiler shows it.
    /// - Throws: ``SourceProblem`` where it can't be read, or its path leads through a symbolic link by now.
    package func text(of path: String) throws(SourceProblem) -> String {
        let place = URL(fileURLWithPath: url.path + "/" + path)
        guard path.hasSuffix(".swift"), AtomicFile.target(of: place).path == place.path,
            place.path.utf8.starts(with: (url.path == "/" ? "/" : url.path + "/").utf8)
        else { throw SourceProblem(file: path, reason: "it is no Swift file in the folder") }
        let (size, data): (Int, Data)
        do throws(FileAccessError) {
            let file = try OpenFile(place, for: .readingItself)
            size = try file.signature().size
            data = try file.content(upTo: min(size, Self.maximumSize))
        } catch {
            throw SourceProblem(file: path, reason: error.clause)
        }
        guard size <= Self.maximumSize else {
            throw SourceProblem(
                file: path, reason: "it has \(size) bytes, more than the \(Self.maximumSize) that are read")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Why source code can't be read at all, and what to do.
package struct SourceAccessError: Error, CustomStringConvertible {
    /// A sentence that names the folder or the program.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// A file or a folder of source code that can't be read.
package struct SourceProblem: Error, Hashable, Sendable {
    /// Whether it comes of what the file holds, so that reading the same bytes once more leads to the same.
    var isOfContent = true
    /// Its path from the folder that was read.
    package let file: String
    /// Why.
    package let reason: String
}
