/// Where each key of a dictionary stands among its entries.
///
/// A hash table of places alone, four bytes each: a copy of it is made for each entry that comes or goes. The keys themselves
/// stand in the entries.
struct PropertyListKeyIndex: Sendable {
    private static let free: UInt32 = 0
    private static let removed = UInt32.max

    /// The places, from 1; a key's first slot follows from its hash, and where that is taken the next free one is its own.
    private var slots: [UInt32]
    /// How many slots are not free.
    private var used = 0

    /// - Parameter count: How many keys will be added at least.
    init(count: Int) {
        var size = 32
        while size < count * 2 { size *= 2 }
        slots = Array(repeating: Self.free, count: size)
    }

    /// Whether one more key would leave so few free slots that looking for a key takes long.
    var isFull: Bool { (used + 1) * 3 > slots.count * 2 }

    /// Where a key stands.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - stands: Whether it stands at a place.
    /// - Returns: `nil` where it is not there.
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

    /// Adds a key that is not there; ``isFull`` was asked before.
    mutating func add(_ key: String, at position: Int) {
        var slot = firstSlot(of: key)
        while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(position + 1)
        used += 1
    }

    /// Removes the key that stands at a place; the others stay where they are.
    mutating func remove(_ key: String, at position: Int) {
        if let slot = slot(of: key, where: { $0 == position }) { slots[slot] = Self.removed }
    }

    /// Moves all that stand at a place or behind it.
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
