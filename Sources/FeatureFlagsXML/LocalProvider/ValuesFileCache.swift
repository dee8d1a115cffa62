import FeatureFlags
import Foundation

/// What was last read from a values file.
struct ValuesFileCache {
    /// What a file holds, `nil` where there is none; or why it can't be read.
    typealias Reading = Result<PropertyListDocument?, FlagValueError>

    private struct Entry {
        let contents: AtomicFile.Contents
        let reading: Reading
        /// Whether the file was old enough when read that a later change must show in its signature.
        let isSettled: Bool
    }

    let url: URL
    private var entry: Entry?

    init(_ url: URL) {
        self.url = url
    }

    /// The state of the file when it was last read; `nil` where there was none.
    var signature: AtomicFile.Signature? { entry?.contents.signature }

    /// What the file holds now, read anew where it may have changed.
    mutating func read() -> Reading {
        do throws(FileAccessError) {
            let signature = try AtomicFile.signature(of: url)
            if signature == nil {
                entry = nil
            } else if entry?.isSettled != true || entry?.contents.signature != signature {
                entry = entry(of: try AtomicFile.read(url))
            }
        } catch {
            entry = nil
            return .failure(FlagValueError(error.description))
        }
        return entry?.reading ?? .success(nil)
    }

    /// Says what was just written to the file, so that it is not parsed again.
    mutating func expect(_ document: PropertyListDocument) {
        guard let entry else { return }
        let contents = AtomicFile.Contents(data: document.source, signature: entry.contents.signature)
        self.entry = Entry(contents: contents, reading: .success(document), isSettled: false)
    }

    /// A file system's clock stands still for up to 10 ms: a change within that time of another may leave no trace in the
    /// signature, so the bytes of such a file are compared.
    private func entry(of contents: AtomicFile.Contents) -> Entry {
        let now = Int128(Date().timeIntervalSince1970 * 1_000_000_000)
        let isSettled = now - max(contents.signature.modified, contents.signature.changed) > 100_000_000
        if let entry, entry.contents.data == contents.data {
            return Entry(contents: contents, reading: entry.reading, isSettled: isSettled)
        }
        return Entry(contents: contents, reading: parse(contents.data), isSettled: isSettled)
    }

    private func parse(_ data: Data) -> Reading {
        do throws(PropertyListError) {
            let document = try PropertyListDocument(source: data)
            guard case .dictionary = document.root else {
                return .failure(
                    FlagValueError(
                        "\(url.path) can't be read: the root is \(document.root.briefDescription), not a <dict>; "
                            + "correct the file"))
            }
            return .success(document)
        } catch {
            return .failure(FlagValueError("\(url.path) can't be read: \(error)"))
        }
    }
}
