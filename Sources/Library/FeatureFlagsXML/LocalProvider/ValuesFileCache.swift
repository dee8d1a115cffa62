import DurableFiles
import FeatureFlags
import Foundation

struct ValuesFileCache {
    /// `nil` for a missing file.
    typealias Reading = Result<PropertyListDocument?, FlagValueError>

    private struct Entry {
        let contents: AtomicFile.Contents
        let reading: Reading
    }

    let url: URL
    private var entry: Entry? { didSet { count += 1 } }
    /// The number of readings that may have differed from the one before.
    private(set) var count = 0

    init(_ url: URL) {
        self.url = url
    }

    var signature: AtomicFile.Signature? { entry?.contents.signature }

    var isBinary: Bool { entry.map { BinaryPropertyList.isBinary($0.contents.data) } ?? false }

    /// Returns the contents of the file, read again only if it may have changed.
    mutating func read() -> Reading {
        do throws(FileAccessError) {
            if let known = entry?.contents, known.isSettled, try AtomicFile.signature(of: url) == known.signature {
                return entry?.reading ?? .success(nil)
            }
            let contents = try AtomicFile.readIfThere(url, maximumSize: PropertyListDocument.maximumSize)
            entry = contents.map { entry(of: $0) }
        } catch {
            entry = nil
            return .failure(FlagValueError(error.description))
        }
        return entry?.reading ?? .success(nil)
    }

    mutating func expect(_ document: PropertyListDocument, written data: Data) {
        guard let entry else { return }
        let contents = AtomicFile.Contents(
            data: data, signature: entry.contents.signature, isSettled: false)
        self.entry = Entry(contents: contents, reading: .success(document))
    }

    private func entry(of contents: AtomicFile.Contents) -> Entry {
        let known = entry?.contents.data == contents.data ? entry?.reading : nil
        return Entry(contents: contents, reading: known ?? parse(contents.data))
    }

    private func parse(_ data: Data) -> Reading {
        do throws(PropertyListError) {
            let document =
                try BinaryPropertyList.isBinary(data)
                ? PropertyListDocument(binary: BinaryPropertyList(data)) : PropertyListDocument(source: data)
            guard document.holdsDictionary else {
                return .failure(
                    FlagValueError(
                        "can't read \(url.path): the root is \(document.root.briefDescription), not a <dict>; fix the "
                            + "file"))
            }
            return .success(document)
        } catch {
            return .failure(FlagValueError("can't read \(url.path): \(error)"))
        }
    }
}
