extension String {
    /// Without the marks that isolate a quoted value's direction, which only browsers use.
    package var withoutIsolates: String { filter { $0 != "\u{2068}" && $0 != "\u{2069}" } }

    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
