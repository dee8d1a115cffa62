/// An element of an array, or an entry of a dictionary.
struct PropertyListChild: Sendable {
    /// Empty in an array.
    let key: String
    let element: PropertyListElement
    /// Where it starts, counted from the start of its ``PropertyListChildren/Run``.
    private(set) var start: UInt32 = 0
    /// How many bytes the `<key>` element has; 0 in an array.
    private let keyBytes: UInt32
    private let leadBytes: UInt32

    var keySize: Int { Int(keyBytes) }

    /// How many bytes stand from the start of the key to that of the value.
    var lead: Int { Int(leadBytes) }

    /// How many bytes it has from the start of the key to the end of the value.
    var size: Int { lead + Int(element.size) }

    /// An element of an array.
    init(_ element: PropertyListElement) {
        self.init(key: "", keySize: 0, lead: 0, element)
    }

    /// An entry of a dictionary.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keySize: How many bytes its element has.
    ///   - lead: How many bytes stand from the start of that to the start of the value.
    ///   - element: The value.
    init(key: String, keySize: Int, lead: Int, _ element: PropertyListElement) {
        self.key = key
        self.element = element
        keyBytes = UInt32(keySize)
        leadBytes = UInt32(lead)
    }

    /// The same child in another place.
    func starting(at start: Int) -> PropertyListChild {
        var child = self
        child.start = UInt32(start)
        return child
    }

    mutating func move(by distance: Int) {
        start = UInt32(Int(start) + distance)
    }

    /// The same child with another element in it.
    func holding(_ element: PropertyListElement) -> PropertyListChild {
        PropertyListChild(key: key, keySize: keySize, lead: lead, element)
    }
}
