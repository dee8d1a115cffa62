import FeatureFlags
import Foundation

/// What was last read from a values file.
struct ValuesFileCache {
    private struct Reading {
        let contents: AtomicFile.Contents
        let document: Result<PropertyListDocument, FlagValueProblem>
        /// Whether the file was old enough when read that a later change must show in its signature.
        let isSettled: Bool
    }

    let url: URL
    private var reading: Reading?

    init(_ url: URL) {
        self.url = url
    }

    /// The state of the file when it was last read; `nil` where there was none.
    var signature: AtomicFile.Signature? { reading?.contents.signature }

    /// What the file holds now, read anew where it may have changed.
    ///
    /// - Returns: `nil` where there is no file.
    /// - Throws: Why it can't be read.
    mutating func document() throws(FlagValueProblem) -> PropertyListDocument? {
        do throws(FileAccessError) {
            let signature = try AtomicFile.signature(of: url)
            if signature == nil {
                reading = nil
            } else if reading?.isSettled != true || reading?.contents.signature != signature {
                reading = read(try AtomicFile.read(url))
            }
        } catch {
            reading = nil
            throw FlagValueProblem(error.description)
        }
        return try reading?.document.get()
    }

    /// Says what was just written to the file, so that it is not parsed again.
    mutating func expect(_ document: PropertyListDocument) {
        guard let reading else { return }
        let contents = AtomicFile.Contents(data: document.source, signature: reading.contents.signature)
        self.reading = Reading(contents: contents, document: .success(document), isSettled: false)
    }

    /// A file system's clock stands still for up to 10 ms: a change within that time of another may leave no trace in the
    /// signature, so the bytes of such a file are compared.
    private func read(_ contents: AtomicFile.Contents) -> Reading {
        let now = Int128(Date().timeIntervalSince1970 * 1_000_000_000)
        let isSettled = now - max(contents.signature.modified, contents.signature.changed) > 100_000_000
        if let reading, reading.contents.data == contents.data {
            return Reading(contents: contents, document: reading.document, isSettled: isSettled)
        }
        return Reading(contents: contents, document: parse(contents.data), isSettled: isSettled)
    }

    private func parse(_ data: Data) -> Result<PropertyListDocument, FlagValueProblem> {
        do throws(PropertyListError) {
            let document = try PropertyListDocument(source: data)
            guard case .dictionary = document.root else {
                return .failure(
                    FlagValueProblem(
                        "\(url.path) can't be read: the root is \(document.root.briefDescription), not a <dict>; "
                            + "correct the file"))
            }
            return .success(document)
        } catch {
            return .failure(FlagValueProblem("\(url.path) can't be read: \(error)"))
        }
    }
}
