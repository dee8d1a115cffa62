import DurableFiles
import FlagHistory
import Foundation

/// The files in which a replica keeps what it got: they are served like any other, and are there at the next start without the source.
public struct ReplicaFiles: Sendable {
    /// What the files hold, and from where.
    struct Record: Codable, Hashable, Sendable {
        let source: String
        let row: Int64
        let hash: String
        /// The source's name for this state.
        let version: String?
        /// When it was got.
        let time: Date
        /// What the files hold, to notice that another program wrote one.
        let values: String
        let manifest: String
    }

    /// The values.
    public let values: URL
    /// The definitions.
    public let manifest: URL
    private let record: URL

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// The files' names, for people.
    var names: String { [values, record, manifest].map(\.lastPathComponent).joined(separator: ", ") }

    /// Names the files.
    ///
    /// - Parameters:
    ///   - file: The file that is served.
    ///   - name: The name of the provider that the replica is.
    ///   - manifest: Where the definitions go.
    public init(beside file: URL, of name: String, manifest: URL) {
        let stem = file.deletingPathExtension().lastPathComponent
        let folder = file.deletingLastPathComponent()
        let label = name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_".unicodeScalars.contains(scalar)
                ? String(scalar) : String(format: "%%%02X", scalar.value)
        }.joined()
        values = folder.appending(path: "\(stem).\(label).replica.xml")
        record = folder.appending(path: "\(stem).\(label).replica.json")
        self.manifest = manifest
    }

    /// What the files hold of a source.
    enum Held {
        /// Nothing was got yet.
        case nothing
        /// Flags of the source, but not as they were got: a crash came between the files, or another program wrote one.
        case changed(Record)
        /// The flags as they were got.
        case known(Record)
    }

    /// Looks at what the files hold.
    ///
    /// - Parameter source: The source.
    /// - Returns: What they hold.
    /// - Throws: ``ReplicaError`` where they can't be read, hold another source's flags, or definitions of their own.
    func held(from source: String) throws(ReplicaError) -> Held {
        let (values, manifest) = (try content(values), try content(manifest))
        let record: Record
        do {
            guard let data = try content(self.record) else { throw ReplicaError("there is none") }
            record = try Self.decoder.decode(Record.self, from: data)
        } catch {
            guard manifest == nil else { throw ownDefinitions(source) }
            return .nothing
        }
        guard record.source == source else {
            throw ReplicaError(
                "\(self.record.lastPathComponent) says that these are the flags of \(record.source), and not of \(source); "
                    + "give the provider another name, or remove that file and \(self.manifest.lastPathComponent)")
        }
        guard let manifest, let values else { return .nothing }
        return manifest.digest == record.manifest && values.digest == record.values ? .known(record) : .changed(record)
    }

    private func ownDefinitions(_ source: String) -> ReplicaError {
        ReplicaError(
            "\(manifest.lastPathComponent) holds definitions of its own, and those of a replica are \(source)'s; name another "
                + "file with --manifest, or remove that one")
    }

    /// Puts a snapshot into the files; what they hold already is not written again.
    ///
    /// - Parameters:
    ///   - snapshot: The flags.
    ///   - source: Where they are from.
    ///   - version: The source's name for this state.
    ///   - time: When it was got.
    /// - Throws: ``ReplicaError`` where they can't be written.
    func put(
        _ snapshot: ReplicaSnapshot, from source: String, version: String?, at time: Date
    ) async throws(ReplicaError) {
        let record = Record(
            source: source, row: snapshot.row, hash: snapshot.hash, version: version, time: time,
            values: snapshot.valuesData.digest, manifest: snapshot.manifestData.digest)
        do {
            let turn = try await FolderLock.take(
                beside: [values, manifest], until: .now + .seconds(FolderLock.patience))
            let outcome = Result {
                // First what says whose flags these are: a crash between the files leaves none that could be taken for another's.
                try AtomicFile.replace(self.record, with: try Self.encoder.encode(record), mode: 0o600)
                try replace(manifest, with: snapshot.manifestData)
                try replace(values, with: snapshot.valuesData)
            }
            turn.end()
            try outcome.get()
        } catch {
            throw ReplicaError("the flags are got, and can't be kept: \(error)")
        }
    }

    private func replace(_ url: URL, with data: Data) throws {
        guard try content(url) != data else { return }
        try AtomicFile.replace(url, with: data, mode: 0o600)
    }

    private func content(_ url: URL) throws(ReplicaError) -> Data? {
        do throws(FileAccessError) {
            return try AtomicFile.readIfThere(url, maximumSize: .max)?.data
        } catch {
            throw ReplicaError("\(error)")
        }
    }
}

extension Data {
    /// The SHA-256 of the bytes, in hexadecimal digits.
    fileprivate var digest: String { ContentHash.sha256(self).hexadecimal }
}
