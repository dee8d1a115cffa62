/// What a list is narrowed by of one flag, as bits and as places in the lists of ``CatalogueTraits``: to look at a hundred
/// thousand flags then takes no longer than to make a page of some.
struct FlagTraits: Sendable {
    /// One bit for each ``FlagFilter/State``.
    let states: UInt16
    /// One bit for each ``FlagFilter/Mark`` that follows from the flag alone.
    let marks: UInt16
    /// Whether its marks may depend on the time, or on which files can be read, too.
    let isDoubtful: Bool
    /// The place of its type among all types.
    let type: Int
    /// Where its value comes from; `nil` for nowhere.
    let source: Int?
    /// Whose it is; `nil` where the definition says nothing of that.
    let owner: Int?
    let tags: Int
    let group: Int
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    /// The bit of this case.
    var bit: UInt16 { Self.allCases.firstIndex(of: self).map { 1 << UInt16($0) } ?? 0 }
}
