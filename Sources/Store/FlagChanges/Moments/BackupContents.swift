import FlagHistory
import Foundation

/// What a backup consists of, as the file `backup.json` in it tells.
public struct BackupContents: Hashable, Sendable, Codable {
    /// A file that was copied.
    public struct File: Hashable, Sendable, Codable {
        /// What it is for, such as `the manifest`.
        public let use: String
        /// Where it was, and belongs.
        public let path: String
        /// What the copy is called.
        public let name: String
        /// How many bytes it has.
        public let bytes: Int
        /// SHA-256 of its bytes, in hexadecimal.
        public let sha256: String
    }

    /// The number of this layout.
    public let format: Int
    /// When the files were read, in UTC.
    public let at: Date
    /// How many rows the history has.
    public let rows: Int
    /// The last row's number and hash, as `flagboard history verify --expect` takes them.
    public let head: String
    /// The copies; the history's log is within it.
    public let files: [File]
    /// The files that were edited by other programs since the history last knew them, by their paths: the next start of
    /// `flagboard serve` records what they hold.
    public let unrecorded: [String]
    /// What is wrong with what the rows of the history are found by, as a clause; `nil` where nothing is.
    public let indexFault: String?

    /// The name of the file that tells of a backup.
    public static let name = "backup.json"

    init(at: Date, _ coverage: HistoryCoverage, files: [File], unrecorded: [String], indexFault: String?) {
        format = 1
        self.at = at
        rows = coverage.count
        head = "\(coverage.head.id):\(coverage.head.hash.hexadecimal)"
        self.files = files
        self.unrecorded = unrecorded
        self.indexFault = indexFault
    }
}
