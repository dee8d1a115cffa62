import Dispatch
import DurableFiles
import Foundation
import Synchronization

struct CheckpointList: Sendable {
    let newest: Checkpoint
    /// Oldest first.
    let kept: [Checkpoint]

    /// Reads the lines.
    ///
    /// `forgivesEnd` accepts a power loss's remains after the last line, if no checkpoint is missing; the next writer
    /// removes them.
    init(_ content: Data, key: SigningKey.PublicKey, forgivesEnd: Bool = false) throws(PlainError) {
        var checkpoints: [Checkpoint] = []
        var flaw: PlainError?
        reading: for found in Self.checkpoints(content, key) {
            let number = checkpoints.count + 1
            switch found {
            case .signed(let checkpoint): checkpoints.append(checkpoint)
            case .unreadable:
                flaw = PlainError("its line \(number) is not a checkpoint")
                break reading
            case .unsigned:
                flaw = PlainError("line \(number) is not signed with this history's key")
                break reading
            }
        }
        guard let newest = checkpoints.first else { throw flaw ?? PlainError("it is empty") }
        self.newest = newest
        kept = Array(checkpoints.dropFirst())
        if let flaw, !forgivesEnd { throw flaw }
        guard newest.state != .kept, newest.head.id >= 0 else {
            throw PlainError("its line 1 is not the newest checkpoint")
        }
        var last: Int64 = 0
        for (index, checkpoint) in kept.enumerated() {
            guard checkpoint.state == .kept, checkpoint.head.id > last,
                checkpoint.head.id.isMultiple(of: CheckpointFile.interval),
                index == 0 || checkpoint.head.id == last + CheckpointFile.interval
            else { throw PlainError("its line \(index + 2) is out of order") }
            last = checkpoint.head.id
        }
        if let flaw, last < Self.lastKept(upTo: newest.head.id) { throw flaw }
    }

    private enum Line: Sendable {
        case signed(Checkpoint), unreadable, unsigned
    }

    private static let portion = 50

    /// Checks signatures, which takes long, on several threads.
    private static func checkpoints(_ content: Data, _ key: SigningKey.PublicKey) -> [Line] {
        let count = (content.count + Checkpoint.width - 1) / Checkpoint.width
        let portions = Mutex<[Int: [Line]]>([:])
        DispatchQueue.concurrentPerform(iterations: (count + portion - 1) / portion) { number in
            let lines = (number * portion..<min((number + 1) * portion, count)).map { place in
                let start = content.startIndex + place * Checkpoint.width
                return line(Data(content[start..<min(start + Checkpoint.width, content.endIndex)]), key)
            }
            portions.withLock { $0[number] = lines }
        }
        return portions.withLock { found in found.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    private static func line(_ line: Data, _ key: SigningKey.PublicKey) -> Line {
        guard let checkpoint = Checkpoint(line: line) else { return .unreadable }
        return checkpoint.isSigned(by: key) ? .signed(checkpoint) : .unsigned
    }

    /// Returns the last row with a kept checkpoint; 0 for none.
    static func lastKept(upTo id: Int64) -> Int64 { id / CheckpointFile.interval * CheckpointFile.interval }

    /// Throws if a checkpoint since the first row left is missing.
    func checkComplete(from first: Int64) throws(PlainError) {
        let interval = CheckpointFile.interval
        let wantedFirst = (first &+ interval &- 1) / interval * interval
        let wantedLast = Self.lastKept(upTo: newest.head.id)
        guard wantedFirst <= wantedLast else { return }
        guard let start = kept.first?.head.id, start <= wantedFirst, let end = kept.last?.head.id, end >= wantedLast
        else { throw PlainError("one of its checkpoints is missing") }
    }

}
