// Incomplete declarations, so that the compiler names what is missing instead of listing what it tried.

extension Flag {
    /// Not available: the flag has no default.
    @available(
        *, unavailable,
        message: "a flag needs a default: @Flag(\"…\") var limit = 3, or @Flag(default: 3, description: \"…\")"
    )
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil,
        provider: String? = nil, suggestions: [Value] = []
    ) { fatalError("a flag needs a default") }

    /// Not available: the flag has no default.
    @available(
        *, unavailable,
        message: "a flag needs a default: @Flag(\"…\") var limit = 3, or @Flag(default: 3, description: \"…\")"
    )
    public init(name: String? = nil, key: String? = nil, keyPath: FlagKeyPath? = nil, description: FlagMetadata) {
        fatalError("a flag needs a default")
    }

    /// Not available: the description has no label.
    @available(
        *, unavailable,
        message: "write @Flag(default: 3, description: \"…\"), or @Flag(\"…\") var limit = 3"
    )
    public init(default defaultValue: Value, _ description: FlagMetadata) {
        fatalError("the description has no label")
    }
}
