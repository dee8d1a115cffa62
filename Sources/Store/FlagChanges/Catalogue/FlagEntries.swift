import FeatureFlagsXML

/// The flags of a catalogue, in order.
///
/// The next catalogue, in which one flag is another, shares most of them.
public struct FlagEntries: RandomAccessCollection, MutableCollection, Sendable {
    private var list: RunList<FlagEntry>

    /// Takes over a list.
    ///
    /// - Parameter entries: The flags, in order.
    public init(_ entries: [FlagEntry]) {
        list = RunList(entries)
    }

    /// How many flags there are.
    public var count: Int { list.count }
    /// The place of the first flag.
    public var startIndex: Int { 0 }
    /// The place behind the last flag.
    public var endIndex: Int { count }

    /// The flag at a place.
    public subscript(place: Int) -> FlagEntry {
        get { list[place] }
        set { list[place] = newValue }
    }

    /// The places at which another list of as many flags has other ones; what both share is not looked into.
    ///
    /// - Returns: The places, in order; `nil` where the other list is shorter or longer.
    package func places(differingFrom other: FlagEntries) -> [Int]? {
        list.places(notSharedWith: other.list)?.filter { self[$0] != other[$0] }
    }
}

extension FlagEntries: Equatable {
    /// Whether both lists say the same of the same flags.
    public static func == (left: FlagEntries, right: FlagEntries) -> Bool { left.elementsEqual(right) }
}
