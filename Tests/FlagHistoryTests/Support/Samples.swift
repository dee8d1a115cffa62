import FeatureFlags
import FlagHistory
import Foundation

extension HistoryEvent {
    static func sample(
        key: String = "ui/blue_text", at: Date = Date(timeIntervalSince1970: 1_767_225_600), actor: String = "ann",
        origin: HistoryRecord.Origin = .form, kind: HistoryRecord.Kind = .set, provider: String? = "flags.xml",
        type: FlagType? = .bool, before: FlagValue? = .bool(false), after: FlagValue? = .bool(true),
        reason: String = "",
        idempotencyKey: String? = nil, batch: UUID = UUID()
    ) -> HistoryEvent {
        HistoryEvent(
            batch: batch, at: at, actor: actor, role: "editor", origin: origin, kind: kind, provider: provider,
            key: .make(key), type: type, before: before, after: after, reason: reason, requestID: "request-1",
            idempotencyKey: idempotencyKey, fileHashBefore: Data(repeating: 1, count: 32),
            fileHashAfter: Data(repeating: 2, count: 32))
    }

    /// A reason that is given to an earlier change.
    static func note(
        on record: HistoryRecord, reason: String, at: Date, actor: String = "ann"
    ) -> HistoryEvent {
        HistoryEvent(
            batch: UUID(), at: at, actor: actor, role: "editor", origin: .form, kind: .note,
            provider: record.event.provider, key: record.event.key, type: record.event.type, before: nil,
            after: .integer(Int128(record.id)), reason: reason)
    }
}

extension FlagKeyPath {
    static func make(_ text: String) -> FlagKeyPath {
        guard let key = FlagKeyPath(text: text) else { preconditionFailure("\(text) is no key path") }
        return key
    }
}

extension ChangeIntent {
    static func sample(events: [HistoryEvent] = [.sample()], edit: ContentEdit? = .oldToNew) -> ChangeIntent {
        ChangeIntent(
            files: [
                ChangeIntent.File(
                    role: .values, path: FileHead.old.path, temporaryName: ".flags.xml.1",
                    hashBefore: FileHead.old.hash, hashAfter: FileHead.new.hash, edit: edit)
            ],
            events: events, at: Date(timeIntervalSince1970: 1_767_225_600))
    }
}

extension ContentEdit {
    static let oldToNew = ContentEdit(from: Data("old".utf8), to: Data("new".utf8))
}

extension FileHead {
    static let old = holding("old")
    static let new = holding("new")

    private static func holding(_ text: String) -> FileHead {
        let content = Data(text.utf8)
        return FileHead(role: .values, path: "/srv/flags.xml", hash: ContentHash.sha256(content), content: content)
    }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}
