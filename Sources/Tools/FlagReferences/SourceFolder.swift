import DurableFiles
import Foundation

/// The Swift files of a folder, except in hidden folders such as `.build`.
///
/// Symbolic links in it aren't followed, so that nothing outside is read.
package struct SourceFolder: Sendable {
    /// In bytes.
    package static let maximumSize = 4 * 1024 * 1024

    /// The folder, with symbolic links resolved.
    package let url: URL

    package init(_ url: URL) throws(PlainError) {
        guard AtomicFile.look(at: url)?.kind == .folder else {
            throw PlainError("can't read the folder \(url.path); specify the source folder")
        }
        self.url = AtomicFile.target(of: url)
    }

    func files() -> (files: [String: AtomicFile.Signature], problems: [SourceProblem]) {
        var (files, problems): ([String: AtomicFile.Signature], [SourceProblem]) = ([:], [])
        var waiting = [""]
        while let folder = waiting.popLast() {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: url.path + "/" + folder)
            } catch {
                problems.append(SourceProblem(file: folder, reason: "can't read the folder"))
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
                        // Bytes that aren't UTF-8 were replaced in this name, so no file has it.
                        problems.append(SourceProblem(file: path, reason: "its name is not UTF-8; rename it"))
                    default: continue
                    }
                } catch {
                    problems.append(SourceProblem(file: path, reason: error.clause))
                }
            }
        }
        return (files, problems)
    }

    /// Returns a file's text, with U+FFFD for bytes that aren't UTF-8, as in the compiler.
    ///
    /// - Throws: ``SourceProblem``, also if the path now leads through a symbolic link.
    package func text(of path: String) throws(SourceProblem) -> String {
        let place = URL(fileURLWithPath: url.path + "/" + path)
        guard path.hasSuffix(".swift"), AtomicFile.target(of: place).path == place.path,
            place.path.utf8.starts(with: (url.path == "/" ? "/" : url.path + "/").utf8)
        else { throw SourceProblem(file: path, reason: "it is not a Swift file in the folder") }
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
                file: path, reason: "it has \(size) bytes, and the limit is \(Self.maximumSize)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

package struct SourceProblem: Error, Hashable, Sendable {
    /// `true` if the content is the cause, so that the same bytes fail again.
    var isOfContent = true
    /// The path from the source folder.
    package let file: String
    package let reason: String
}
