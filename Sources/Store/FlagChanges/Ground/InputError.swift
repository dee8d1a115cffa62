/// The problem with a text that people wrote, with line and column if known.
package struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
