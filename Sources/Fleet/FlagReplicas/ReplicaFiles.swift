import DurableFiles
import FeatureFlagsXML
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
        /// When the source said that this is what its flags are; it may have said so again less than ``accuracy`` later.
        var time: Date
        /// Why a source of the source is broken, by the key path of each flag that would be read from it.
        let broken: [String: String]?
        /// What the files hold, to notice that another program wrote one.
        let values: String
        let manifest: String
    }

    /// How far the time of a record may be behind: it is not written at each answer.
    static let accuracy: TimeInterval = 60

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

    /// Removes what was left when a process that wrote the files was ended.
    func removeAbandoned(log: (String) -> Void) {
        AtomicFile.removeAbandoned(beside: [values, manifest, record], log: log)
    }

    /// What the files hold of a source.
    struct Held {
        /// What was got.
        let record: Record
        /// The files that hold something else than was got, or are missing: a crash came between the files, or another program
        /// wrote or removed one.
        let changed: [String]
        /// Whether there are values and definitions, be they as they were got or not.
        let canBeServed: Bool
    }

    /// What was found in a file, so that it is read again only where that may be something else by now.
    struct Look: Sendable {
        fileprivate let signature: AtomicFile.Signature
        fileprivate let isSettled: Bool
        fileprivate let digest: String
    }

    /// What was found in the files.
    typealias Looks = [URL: Look]

    /// Looks at what the files hold.
    ///
    /// - Returns: What they hold; `nil` where nothing was got yet.
    /// - Throws: ``ReplicaError`` where they can't be read, hold another source's flags, or definitions of their own.
    func held(from source: String, _ looks: inout Looks) throws(ReplicaError) -> Held? {
        let hasManifest = try digest(of: manifest, &looks) != nil
        let record: Record
        do {
            guard let data = try content(self.record) else { throw ReplicaError("there is none") }
            record = try Self.decoder.decode(Record.self, from: data)
        } catch {
            guard !hasManifest else { throw ownDefinitions(source) }
            return nil
        }
        guard record.source == source else {
            throw ReplicaError(
                "\(self.record.lastPathComponent) says that these are the flags of \(record.source), and not of \(source); "
                    + "give the provider another name, or remove that file and \(self.manifest.lastPathComponent)")
        }
        let changed = try changed(from: record, &looks)
        let hasValues = try digest(of: values, &looks) != nil
        return Held(record: record, changed: changed, canBeServed: hasManifest && hasValues)
    }

    /// The files that hold something else than was got, or are missing.
    ///
    /// - Throws: ``ReplicaError`` where they can't be read.
    func changed(from record: Record, _ looks: inout Looks) throws(ReplicaError) -> [String] {
        let got = [(values, record.values), (manifest, record.manifest), (self.record, try Self.data(record).digest)]
        var names: [String] = []
        for (file, digest) in got where try self.digest(of: file, &looks) != digest {
            names.append(file.lastPathComponent)
        }
        return names
    }

    /// The digest of a file, which is not read where nothing can have changed it since the look before.
    private func digest(of file: URL, _ looks: inout Looks) throws(ReplicaError) -> String? {
        do throws(FileAccessError) {
            if let look = looks[file], look.isSettled, try AtomicFile.signature(of: file) == look.signature {
                return look.digest
            }
            let contents = try AtomicFile.readIfThere(file, maximumSize: Self.maximumSize)
            looks[file] = contents.map {
                Look(signature: $0.signature, isSettled: $0.isSettled, digest: $0.data.digest)
            }
            return looks[file]?.digest
        } catch {
            throw ReplicaError("\(error)")
        }
    }

    private static func data(_ record: Record) throws(ReplicaError) -> Data {
        do {
            return try encoder.encode(record)
        } catch {
            throw ReplicaError("what is got can't be written down: \(error)")
        }
    }

    private func ownDefinitions(_ source: String) -> ReplicaError {
        ReplicaError(
            "\(manifest.lastPathComponent) holds definitions of its own, and those of a replica are \(source)'s; name another "
                + "file with --manifest, or remove that one")
    }

    /// Puts a snapshot into the files; what they hold already is not written again.
    ///
    /// - Throws: ``ReplicaError`` where they can't be written.
    func put(
        _ snapshot: ReplicaSnapshot, from source: String, version: String?, at time: Date
    ) async throws(ReplicaError) -> Record {
        let record = Record(
            source: source, row: snapshot.row, hash: snapshot.hash, version: version, time: time,
            broken: snapshot.broken, values: snapshot.valuesData.digest, manifest: snapshot.manifestData.digest)
        try await write {
            // First what says whose flags these are: a crash between the files leaves none that could be taken for another's.
            try replace(self.record, with: try Self.data(record))
            try replace(manifest, with: snapshot.manifestData)
            try replace(values, with: snapshot.valuesData)
        }
        return record
    }

    /// Takes down that what the files hold is what the source's flags are still, where that was not done for a while.
    ///
    /// - Throws: ``ReplicaError`` where it can't be written.
    func confirm(_ record: Record, at time: Date) async throws(ReplicaError) -> Record {
        // A clock that was put back counts too.
        guard abs(time.timeIntervalSince(record.time)) >= Self.accuracy else { return record }
        var record = record
        record.time = time
        let data = try Self.data(record)
        try await write { try replace(self.record, with: data) }
        return record
    }

    /// The most bytes that are read of a file.
    private static let maximumSize = PropertyListDocument.largestMaximumSize

    /// Writes files in a turn of their folders.
    private func write(_ body: () throws -> Void) async throws(ReplicaError) {
        do {
            let turn = try await FolderLock.take(
                beside: [values, manifest], until: .now + .seconds(FolderLock.patience))
            let outcome = Result(catching: body)
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
            return try AtomicFile.readIfThere(url, maximumSize: Self.maximumSize)?.data
        } catch {
            throw ReplicaError("\(error)")
        }
    }
}

extension Data {
    /// The SHA-256 of the bytes, in hexadecimal digits.
    fileprivate var digest: String { ContentHash.sha256(self).hexadecimal }
}
