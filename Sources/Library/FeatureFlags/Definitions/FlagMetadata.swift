import Foundation

/// What people are told of a flag or a group, and how tools treat it.
///
/// ```swift
/// struct SearchFlags: FlagCollectionProtocol {
///     @Flag(
///         default: 20,
///         description: FlagMetadata(
///             description: "How many results a page has", requiresRestart: true, tags: ["search"], owner: "Ada"))
///     var pageSize: Int
/// }
/// ```
///
/// A group that is locked, internal, requires a restart or is not persistable has all flags in it be so.
public struct FlagMetadata: Hashable, Sendable {
    /// A readable name; where `nil`, one is made from the key (``FlagKeyPath/readableName``).
    public var name: String?
    /// What the flag is for.
    public var description: String
    /// The place among the flags of its group; those without one follow, by key.
    public var order: Int?
    /// Not changeable through the dashboard, the API, the command line, an import or a revert.
    ///
    /// Code may still write.
    public var isLocked: Bool
    /// Does not exist for any tool: not listed, counted, exported or shown in the history.
    public var isInternal: Bool
    /// A change takes effect when the app restarts.
    public var requiresRestart: Bool
    /// Whether ``LayeredFlags/persist()`` keeps the value; SwiftFeatureConfigs' `persistableOnDevice`.
    public var isPersistable: Bool
    /// The name of an icon.
    public var uiIcon: String?
    /// Words to find the flag by.
    public var tags: [String]
    /// Who answers for the flag.
    public var owner: String?
    /// When the flag should be gone.
    public var expires: Date?
    /// Why the flag should not be used any more; `nil` where it is in use.
    ///
    /// It has no effect on what a read returns.
    public var retired: String?
    /// Further facts that the developer attaches, by name; ToggleUI's `userInfo`.
    public var userInfo: [String: FlagValue]

    /// Describes a flag.
    ///
    /// - Parameters:
    ///   - name: A readable name; where `nil`, one is made from the key.
    ///   - description: What the flag is for.
    ///   - order: The place among the flags of its group; those without one follow, by key.
    ///   - isInternal: Whether the flag does not exist for any tool.
    ///   - uiIcon: The name of an icon.
    ///   - isLocked: Whether only code may change it.
    ///   - requiresRestart: Whether a change takes effect when the app restarts.
    ///   - tags: Words to find the flag by.
    ///   - owner: Who answers for the flag.
    ///   - expires: When the flag should be gone.
    ///   - isPersistable: Whether ``LayeredFlags/persist()`` keeps the value.
    ///   - userInfo: Further facts, by name.
    ///   - retired: Why the flag should not be used any more; `nil` where it is in use.
    public init(
        name: String? = nil, description: String = "", order: Int? = nil, isInternal: Bool = false,
        uiIcon: String? = nil, isLocked: Bool = false, requiresRestart: Bool = false, tags: [String] = [],
        owner: String? = nil, expires: Date? = nil, isPersistable: Bool = true, userInfo: [String: FlagValue] = [:],
        retired: String? = nil
    ) {
        self.name = name
        self.description = description
        self.order = order
        self.isLocked = isLocked
        self.isInternal = isInternal
        self.requiresRestart = requiresRestart
        self.uiIcon = uiIcon
        self.tags = tags
        self.owner = owner
        self.expires = expires
        self.isPersistable = isPersistable
        self.userInfo = userInfo
        self.retired = retired
    }
}

extension FlagMetadata {
    /// Takes over what a group says of all its flags and groups.
    mutating func inherit(from group: FlagMetadata) {
        isLocked = isLocked || group.isLocked
        isInternal = isInternal || group.isInternal
        requiresRestart = requiresRestart || group.requiresRestart
        isPersistable = isPersistable && group.isPersistable
    }
}

extension FlagMetadata: ExpressibleByStringLiteral {
    /// Metadata of a description alone, as RealFlags takes it.
    public init(stringLiteral description: String) {
        self.init(description: description)
    }
}
