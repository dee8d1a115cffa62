import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A replica's local files, served like any others and available at the next start without the source.
package struct ReplicaFiles: Sendable {
    struct Record: Codable, Hashable, Sendable {
        let source: String
        let row: Int64
        let hash: String
        /// The source's version of this state.
        let version: String?
        /// The source's last confirmation, at most ``accuracy`` out of date.
        var time: Date
        /// The broken sources of the source, by the key path of each affected flag.
        let broken: [String: String]?
        /// Digests that show another program's writes.
        let values: String
        let manifest: String
    }

    /// In seconds; the record is not written at each answer.
    static let accuracy: TimeInterval = 60

    /// The values.
    package let values: URL
    /// The definitions.
    package let manifest: URL
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

    var names: String { [values, record, manifest].map(\.lastPathComponent).joined(separator: ", ") }

    /// Creates the paths; the record is beside the values, with their name and `.json`.
    package init(values: URL, manifest: URL) {
        (self.values, self.manifest) = (values, manifest)
        record = values.deletingPathExtension().appendingPathExtension("json")
    }

    func removeAbandoned(log: (String) -> Void) {
        AtomicFile.removeAbandoned(beside: [values, manifest, record], log: log)
    }

    struct Held {
        let record: Record
        /// The files that differ or are missing, after a crash or another program's write.
        let changed: [String]
        /// `true` if values and definitions exist, changed or not.
        let canBeServed: Bool
    }

    /// A file's last known digest and state.
    struct Look: Sendable {
        fileprivate let signature: AtomicFile.Signature
        fileprivate let isSettled: Bool
        fileprivate let digest: String
    }

    typealias Looks = [URL: Look]

    /// Reads the files' content; `nil` before the first download.
    ///
    /// - Throws: ``PlainError`` if it is unreadable or not this source's.
    func held(from source: String, _ looks: inout Looks) throws(PlainError) -> Held? {
        let hasManifest = try digest(of: manifest, &looks) != nil
        let record: Record
        do {
            guard let data = try content(self.record) else { throw PlainError("there is none") }
            record = try Self.decoder.decode(Record.self, from: data)
        } catch {
            guard !hasManifest else { throw ownDefinitions(source) }
            return nil
        }
        guard record.source == source else {
            throw PlainError(
                "\(self.record.lastPathComponent) belongs to \(record.source), not to \(source); give the provider "
                    + "another name, or remove that file and \(self.manifest.lastPathComponent)")
        }
        let changed = try changed(from: record, &looks)
        let hasValues = try digest(of: values, &looks) != nil
        return Held(record: record, changed: changed, canBeServed: hasManifest && hasValues)
    }

    /// Returns the names of files that differ or are missing.
    func changed(from record: Record, _ looks: inout Looks) throws(PlainError) -> [String] {
        let got = [(values, record.values), (manifest, record.manifest), (self.record, try Self.data(record).digest)]
        var names: [String] = []
        for (file, digest) in got where try self.digest(of: file, &looks) != digest {
            names.append(file.lastPathComponent)
        }
        return names
    }

    /// Returns a file's digest, without a read if the file can't have changed.
    private func digest(of file: URL, _ looks: inout Looks) throws(PlainError) -> String? {
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
            throw PlainError("\(error)")
        }
    }

    private static func data(_ record: Record) throws(PlainError) -> Data {
        do {
            return try encoder.encode(record)
        } catch {
            throw PlainError("can't save the replica: \(error)")
        }
    }

    private func ownDefinitions(_ source: String) -> PlainError {
        PlainError(
            "\(manifest.lastPathComponent) has its own definitions, but a replica uses those of \(source); choose "
                + "another file with --manifest, or remove this one")
    }

    func put(
        _ snapshot: ReplicaSnapshot, from source: String, version: String?, at time: Date
    ) async throws(PlainError) -> Record {
        let record = Record(
            source: source, row: snapshot.row, hash: snapshot.hash, version: version, time: time,
            broken: snapshot.broken, values: snapshot.valuesData.digest, manifest: snapshot.manifestData.digest)
        try await write {
            // The origin first: after a crash between the files, none could be taken for another source's.
            try replace(self.record, with: try Self.data(record))
            try replace(manifest, with: snapshot.manifestData)
            try replace(values, with: snapshot.valuesData)
        }
        return record
    }

    /// Records a confirmation if the last one is too old.
    func confirm(_ record: Record, at time: Date) async throws(PlainError) -> Record {
        // A clock may be set back.
        guard abs(time.timeIntervalSince(record.time)) >= Self.accuracy else { return record }
        var record = record
        record.time = time
        let data = try Self.data(record)
        try await write { try replace(self.record, with: data) }
        return record
    }

    private static let maximumSize = PropertyListDocument.largestMaximumSize

    private func write(_ body: () throws -> Void) async throws(PlainError) {
        do {
            let turn = try await FolderLock.take(
                beside: [values, manifest], until: .now + .seconds(FolderLock.patience))
            let outcome = Result(catching: body)
            turn.end()
            try outcome.get()
        } catch {
            throw PlainError("the flags are up to date but can't be saved: \(error)")
        }
    }

    private func replace(_ url: URL, with data: Data) throws {
        guard try content(url) != data else { return }
        try AtomicFile.replace(url, with: data, mode: 0o600)
    }

    private func content(_ url: URL) throws(PlainError) -> Data? {
        do throws(FileAccessError) {
            return try AtomicFile.readIfThere(url, maximumSize: Self.maximumSize)?.data
        } catch {
            throw PlainError("\(error)")
        }
    }
}

extension Data {
    /// The SHA-256 in hexadecimal.
    fileprivate var digest: String { ContentHash.sha256(self).hexadecimal }
}
