/// An error that is only its text: the cause, and a remedy where one helps.
package struct PlainError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
