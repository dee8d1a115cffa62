/// Why git can't be worked with: what is wrong, and what to do.
struct GitError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
