import DurableFiles
import Foundation

struct HistoryProof {
    struct Facts {
        let key: SigningKey.PublicKey?
        let anchors: [HistoryAnchor]
        let heads: Data
        let headsFault: String?
        let hasGuards: Bool
    }

    private let companions: SigningFiles
    private let content: Result<Data?, any Error>
    private let key: Result<SigningKey?, any Error>
    private var facts: Facts?
    private var list: CheckpointList?
    private var listFlaw: String?

    init(_ companions: SigningFiles) {
        self.companions = companions
        content = Result { try CheckpointFile.content(of: companions.checkpoints) }
        key = Result { try SigningKey.read(companions.key) }
    }

    func judged(by facts: Facts) -> HistoryProof {
        var proof = self
        proof.facts = facts
        let path = companions.checkpoints.path
        do {
            if let key = facts.key {
                guard let content = try content.get() else {
                    throw PlainError("the checkpoints \(path) are missing")
                }
                do throws(PlainError) {
                    let list = try CheckpointList(content, key: key, forgivesEnd: true)
                    proof.list = list
                    try list.checkComplete(from: (facts.anchors.last?.last ?? 0) &+ 1)
                } catch {
                    throw PlainError("the checkpoints \(path) were altered: \(error)")
                }
            }
        } catch {
            proof.listFlaw = CheckpointWriter.text(error)
        }
        return proof
    }

    var newest: Checkpoint? { list?.newest }

    var checkpoints: [Checkpoint] { list.map { $0.kept + [$0.newest] } ?? [] }

    /// Returns the gravest flaw, as a clause.
    func flaw(before head: ChainHead) -> String? {
        guard let facts, let known = facts.key else { return "the history has no signing key" }
        if let flaw = anchorFlaw(facts.anchors, known) ?? listFlaw ?? keyFlaw(known) { return flaw }
        if !facts.hasGuards { return "the triggers that protect its rows were altered" }
        if let fault = facts.headsFault { return fault }
        if let newest, newest.state == .closed, newest.head == head, newest.heads != facts.heads {
            return "the record of the files was altered after the history was closed"
        }
        return nil
    }

    private func anchorFlaw(_ anchors: [HistoryAnchor], _ known: SigningKey.PublicKey) -> String? {
        var next: Int64 = 1
        for anchor in anchors {
            if anchor.first != next { return "the anchor of the rows \(next) to \(anchor.first &- 1) is missing" }
            if !anchor.isSigned(by: known) {
                return
                    "the anchor of the rows \(anchor.first) to \(anchor.last) is not signed with this history's key"
            }
            next = anchor.last &+ 1
        }
        return nil
    }

    private func keyFlaw(_ known: SigningKey.PublicKey) -> String? {
        let path = companions.key.path
        switch key {
        case .success(nil): return "the signing key \(path) is missing"
        case .success(let key?):
            return key.publicKey == known ? nil : "\(path) is not the key that signed this history"
        case .failure(let error): return CheckpointWriter.text(error)
        }
    }
}
