import Crypto
import DurableFiles
import Foundation

extension HistoryArchive {
    /// Reads an archive and checks its rows, chain, hash and signature.
    ///
    /// Doesn't check that it belongs to a history.
    package init(contentsOf url: URL) throws(PlainError) {
        let data = try Self.content(of: url)
        var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 4, lines.removeLast().isEmpty else { throw PlainError("it is incomplete") }
        let decoder = Self.decoder
        let (header, trailer) = try Self.frame(lines, decoder)
        let (previous, key) = (header.previous_hash, SigningKey.PublicKey(bytes: header.public_key))
        var hashes: [Data] = []
        for (index, line) in lines[1..<(lines.count - 1)].enumerated() {
            let id = header.first &+ Int64(index)
            hashes.append(try Self.hash(ofRow: id, in: line, after: hashes.last ?? previous, decoder))
        }
        let (span, overflows) = header.last.subtractingReportingOverflow(header.first)
        guard let lastHash = hashes.last, header.first > 0, !overflows, span == Int64(hashes.count - 1) else {
            throw PlainError("it doesn't contain the rows that its first line lists")
        }
        let content = Data(SHA256.hash(data: data[..<lines[lines.count - 1].startIndex]))
        let last = ChainHead(id: header.last, hash: lastHash)
        let signed = Self.signedBytes(
            first: header.first, last: last, previousHash: previous, content: content, key)
        guard content == trailer.sha256, let signature = Data(base64Encoded: trailer.signature),
            key.isValid(signature, of: signed)
        else { throw PlainError("its last line is not the signature of its content") }
        self.init(
            first: header.first, last: last, fileHash: ContentHash.sha256(data), key: key.fingerprint,
            hashes: hashes)
    }

    /// Refuses devices and named pipes, which may never end.
    private static func content(of url: URL) throws(PlainError) -> Data {
        let kind: FileKind?
        do throws(FileAccessError) {
            kind = try AtomicFile.signature(of: url)?.kind
        } catch {
            throw PlainError("can't read it: \(error.clause)")
        }
        if let kind, kind != .regular { throw PlainError("it is \(kind.name), not a regular file") }
        do {
            return try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            // Foundation's text ends with a full stop.
            throw PlainError("can't read it: \(error.localizedDescription.trimmingCharacters(in: ["."]))")
        }
    }

    private static func frame(
        _ lines: [Data.SubSequence], _ decoder: JSONDecoder
    ) throws(PlainError) -> (Header, Trailer) {
        guard let header = try? decoder.decode(Header.self, from: lines[0]), header.archive == mark else {
            throw PlainError("it is not a history archive")
        }
        guard let trailer = try? decoder.decode(Trailer.self, from: lines[lines.count - 1]) else {
            throw PlainError("its last line is not a signature")
        }
        return (header, trailer)
    }

    private static func hash(
        ofRow id: Int64, in line: Data.SubSequence, after previous: Data, _ decoder: JSONDecoder
    ) throws(PlainError) -> Data {
        guard let row = try? decoder.decode(ArchivedRow.self, from: line), row.id == id, row.previousHash == previous
        else { throw PlainError("row \(id) doesn't follow the previous row") }
        let hash = row.event.hash(id: id, previousHash: previous)
        guard hash == row.hash else { throw PlainError("the hash of row \(id) doesn't match its content") }
        return hash
    }
}

struct ArchiveCheck {
    private let name: String
    private let archive: Result<HistoryArchive, PlainError>
    private let isAnchored: Bool

    init(_ url: URL, _ anchors: [HistoryAnchor]) {
        name = url.path(percentEncoded: false)
        archive = Result { () throws(PlainError) in try HistoryArchive(contentsOf: url) }
        isAnchored =
            switch archive {
            case .success(let archive): anchors.contains { $0.archiveHash == archive.fileHash }
            case .failure: false
            }
    }

    /// A clause; `nil` if sound.
    var flaw: String? {
        if case .failure(let flaw) = archive { return "\(name) is not an intact archive: \(flaw)" }
        return isAnchored ? nil : "\(name) is not an archive of this history"
    }

    /// `nil` unless an anchor names it.
    var anchoredHash: Data? {
        if isAnchored, case .success(let archive) = archive { archive.fileHash } else { nil }
    }

    func holds(_ head: ChainHead) -> Bool {
        guard isAnchored, case .success(let archive) = archive else { return false }
        let index = head.id - archive.first
        return index >= 0 && index < archive.hashes.count && archive.hashes[Int(index)] == head.hash
    }
}
