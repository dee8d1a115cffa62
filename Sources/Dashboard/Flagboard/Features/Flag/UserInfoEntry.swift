import FeatureFlags

/// One entry of what the developer attached to a flag.
struct UserInfoEntry: Hashable, PagePart {
    /// How many characters of a value are shown; it is read here and nowhere else.
    private static let limit = 2_000

    let name: String
    let shown: ShownValue

    /// The entries of a flag's `userInfo`, by name.
    static func entries(of userInfo: [String: FlagValue]) -> [UserInfoEntry] {
        userInfo.sorted { $0.key < $1.key }.map { name, value in
            UserInfoEntry(
                name: name.isEmpty
                    ? "(empty name)" : ShownPart.parts(of: name, breaksLines: false).map(\.plain).joined(),
                shown: ShownValue(value, limit: limit))
        }
    }
}
