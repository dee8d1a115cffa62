import DurableFiles
import FlagChanges
import Foundation
import Synchronization

/// The file of the saved searches, beside that of the tokens: `flags.searches.json`.
final class SearchesFile: Sendable {
    /// Where the file is, or will be.
    let url: URL
    private let path: String
    private let seen = Mutex<Seen?>(nil)

    /// What was last read of the file.
    private struct Seen {
        let contents: AtomicFile.Contents
        let searches: [SavedSearch]
    }

    private struct Root: KeptDocument {
        var version = 1
        let searches: [SavedSearch]
    }

    /// The most bytes that are read.
    private static let maximumSize = FlagFiles.maximumKeptSize
    /// How many searches there may be: a menu of more is no help.
    static let maximumCount = 50

    /// Names the file.
    init(_ url: URL) {
        self.url = url
        path = url.path(percentEncoded: false)
    }

    /// The searches as the file holds them now, by their names; none where there is no file.
    ///
    /// - Throws: ``SearchesFileError`` where the file can't be read, or is no file of searches.
    func searches() throws(SearchesFileError) -> [SavedSearch] {
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            if let known = seen.withLock(\.self), known.contents.isSettled,
                AtomicFile.look(atPath: path) == known.contents.signature
            {
                return known.searches
            }
            guard let read = try AtomicFile.readIfThere(url, maximumSize: Self.maximumSize) else { return [] }
            contents = read
        } catch {
            throw .file(error)
        }
        let searches = try Self.decode(contents.data, path: path)
        seen.withLock { $0 = Seen(contents: contents, searches: searches) }
        return searches
    }

    /// Keeps a search.
    ///
    /// - Parameter search: The view, whose name no other may have.
    /// - Throws: ``SearchesFileError`` where the name can't be, or the file can't be written; nothing is kept then.
    func add(_ search: SavedSearch) async throws(SearchesFileError) {
        if let problem = SavedSearch.problem(withName: search.name) { throw .notKept(problem) }
        try await edit { (searches) throws(SearchesFileError) in
            guard !searches.contains(where: { $0.name == search.name }) else {
                throw .notKept(
                    "There is a search of the name \(search.name): choose another name, or remove that one first.")
            }
            guard searches.count < Self.maximumCount else {
                throw .notKept(
                    "There are \(Self.maximumCount) saved searches, as many as there may be: remove one first.")
            }
            return searches + [search]
        }
    }

    /// Removes a search.
    ///
    /// - Parameter name: The search’s name.
    /// - Throws: ``SearchesFileError`` where there is none, or the file can't be written.
    func remove(_ name: String) async throws(SearchesFileError) {
        try await edit { (searches) throws(SearchesFileError) in
            guard searches.contains(where: { $0.name == name }) else { throw .unknown(name) }
            return searches.filter { $0.name != name }
        }
    }

    /// Replaces what the file holds while no other process does so, durable before it returns.
    private func edit(
        _ change: ([SavedSearch]) throws(SearchesFileError) -> [SavedSearch]
    ) async throws(SearchesFileError) {
        let turn: FolderLock.Held
        do throws(FileAccessError) {
            turn = try await FolderLock.take(beside: [url], until: .now + .seconds(FolderLock.patience))
        } catch {
            throw .file(error)
        }
        let result = Result { () throws(SearchesFileError) in try write(try change(try searches())) }
        turn.end()
        try result.get()
    }

    private func write(_ searches: [SavedSearch]) throws(SearchesFileError) {
        let sorted = searches.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
        do {
            try AtomicFile.replace(url, with: try Root(searches: sorted).keptText(), mode: 0o600)
        } catch let error as FileAccessError {
            throw .file(error)
        } catch {
            throw .malformed(path, "\(error)")
        }
    }

    private static func decode(_ data: Data, path: String) throws(SearchesFileError) -> [SavedSearch] {
        let searches: [SavedSearch]
        do throws(KeptDocumentError) {
            searches = try Root.read(data).searches
        } catch {
            throw .malformed(path, error.fault)
        }
        let names = Dictionary(grouping: searches, by: \.name)
        if let twice = searches.first(where: { names[$0.name]?.count != 1 }) {
            throw .malformed(path, "two searches have the name \(twice.name)")
        }
        return searches
    }
}
