/// A hash table of the places of a dictionary's keys.
///
/// Each added or removed entry copies it, so it takes four bytes a place; the entries hold the keys.
struct PropertyListKeyIndex: Sendable {
    private static let free: UInt32 = 0
    private static let removed = UInt32.max

    /// Places from 1; a key whose first slot is taken uses the next free one.
    private var slots: [UInt32]
    private var used = 0

    init(count: Int) {
        var size = 32
        while size < count * 2 { size *= 2 }
        slots = Array(repeating: Self.free, count: size)
    }

    /// Another key would make lookups slow for lack of free slots.
    var isFull: Bool { (used + 1) * 3 > slots.count * 2 }

    func position(of key: String, where stands: (Int) -> Bool) -> Int? {
        slot(of: key, where: stands).map { Int(slots[$0]) - 1 }
    }

    private func slot(of key: String, where stands: (Int) -> Bool) -> Int? {
        var slot = firstSlot(of: key)
        while slots[slot] != Self.free {
            if slots[slot] != Self.removed, stands(Int(slots[slot]) - 1) { return slot }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func firstSlot(of key: String) -> Int { key.hashValue & (slots.count - 1) }

    /// Adds a key that is not in the index, which must not be full.
    mutating func add(_ key: String, at position: Int) {
        var slot = firstSlot(of: key)
        while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(position + 1)
        used += 1
    }

    mutating func remove(_ key: String, at position: Int) {
        if let slot = slot(of: key, where: { $0 == position }) { slots[slot] = Self.removed }
    }

    mutating func move(from position: Int, by distance: Int) {
        let (first, step) = (UInt32(position + 1), UInt32(truncatingIfNeeded: distance))
        slots.withUnsafeMutableBufferPointer { slots in
            for slot in slots.indices {
                let place = slots[slot]
                slots[slot] = place >= first && place != Self.removed ? place &+ step : place
            }
        }
    }
}
