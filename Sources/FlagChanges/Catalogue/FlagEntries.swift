/// The flags of a catalogue, in order.
///
/// They are kept in runs, so that the next catalogue, in which one flag is another, copies one run and shares the others.
public struct FlagEntries: RandomAccessCollection, MutableCollection, Sendable {
    private static let runSize = 256

    /// All but the last are full.
    private var runs: [[FlagEntry]]
    /// How many flags there are.
    public let count: Int

    /// Takes over a list.
    ///
    /// - Parameter entries: The flags, in order.
    public init(_ entries: [FlagEntry]) {
        count = entries.count
        runs = stride(from: 0, to: entries.count, by: Self.runSize).map { start in
            Array(entries[start..<Swift.min(start + Self.runSize, entries.count)])
        }
    }

    /// The place of the first flag.
    public var startIndex: Int { 0 }
    /// The place behind the last flag.
    public var endIndex: Int { count }

    /// The flag at a place.
    public subscript(place: Int) -> FlagEntry {
        get { runs[place / Self.runSize][place % Self.runSize] }
        set { runs[place / Self.runSize][place % Self.runSize] = newValue }
    }
}

extension FlagEntries {
    /// The places at which another list of as many flags has other ones; what both share is not looked into.
    ///
    /// - Parameter other: The other list.
    /// - Returns: The places, in order; `nil` where the other list is shorter or longer.
    package func places(differingFrom other: FlagEntries) -> [Int]? {
        guard count == other.count else { return nil }
        var places: [Int] = []
        for (number, (mine, theirs)) in zip(runs, other.runs).enumerated() where !Self.isShared(mine, theirs) {
            for (place, (one, another)) in zip(mine, theirs).enumerated() where one != another {
                places.append(number * Self.runSize + place)
            }
        }
        return places
    }

    /// Whether two runs are one and the same in memory.
    private static func isShared(_ one: [FlagEntry], _ other: [FlagEntry]) -> Bool {
        one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress } }
    }
}

extension FlagEntries: Equatable {
    /// Whether both lists say the same of the same flags.
    public static func == (left: FlagEntries, right: FlagEntries) -> Bool { left.elementsEqual(right) }
}
