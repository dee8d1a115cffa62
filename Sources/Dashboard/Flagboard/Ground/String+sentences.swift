extension String {
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

    var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
