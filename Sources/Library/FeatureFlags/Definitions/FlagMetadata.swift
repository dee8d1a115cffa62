import Foundation

/// A flag's or a group's description, and the facts that decide how tools treat it.
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
/// A group that is locked, internal, not persistable, or requires a restart passes this on to its flags.
public struct FlagMetadata: Hashable, Sendable {
    /// A readable name; if `nil`, one is made from the key (``FlagKeyPath/readableName``).
    public var name: String?
    /// The purpose of the flag.
    public var description: String
    /// The place among the flags of the group; flags without one come last, in the order of declaration.
    public var order: Int?
    /// `true` if only code can change the flag: not the dashboard, the API, the command line, imports or reverts.
    public var isLocked: Bool
    /// `true` if tools hide the flag, in lists, counts, exports and the history.
    public var isInternal: Bool
    /// `true` if a change takes effect when the app restarts.
    public var requiresRestart: Bool
    /// `true` if ``LayeredFlags/persist()`` keeps the value; SwiftFeatureConfigs' `persistableOnDevice`.
    public var isPersistable: Bool
    /// The name of an icon.
    public var uiIcon: String?
    /// Search words.
    public var tags: [String]
    /// The person or team responsible for the flag.
    public var owner: String?
    /// The date by which the flag should be gone.
    public var expires: Date?
    /// The reason not to use the flag any more; `nil` if it is in use.
    ///
    /// Reads ignore it.
    public var retired: String?
    /// Further facts by name; ToggleUI's `userInfo`.
    public var userInfo: [String: FlagValue]

    /// Creates metadata.
    ///
    /// - Parameters:
    ///   - name: A readable name.
    ///   - description: The purpose of the flag.
    ///   - order: The place among the flags of the group.
    ///   - isInternal: `true` to hide the flag from all tools.
    ///   - uiIcon: The name of an icon.
    ///   - isLocked: `true` if only code may change the flag.
    ///   - requiresRestart: `true` if a change takes effect when the app restarts.
    ///   - tags: Search words.
    ///   - owner: The person or team responsible for the flag.
    ///   - expires: The date by which the flag should be gone.
    ///   - isPersistable: `true` if ``LayeredFlags/persist()`` keeps the value.
    ///   - userInfo: Further facts by name.
    ///   - retired: The reason not to use the flag any more.
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
    mutating func inherit(from group: FlagMetadata) {
        isLocked = isLocked || group.isLocked
        isInternal = isInternal || group.isInternal
        requiresRestart = requiresRestart || group.requiresRestart
        isPersistable = isPersistable && group.isPersistable
    }
}

extension FlagMetadata: ExpressibleByStringLiteral {
    /// Creates metadata with only a description, as in RealFlags.
    public init(stringLiteral description: String) {
        self.init(description: description)
    }
}
