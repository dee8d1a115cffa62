/// A place in a text file, as an editor shows it.
///
/// ```swift
/// let place = SourceLocation(line: 12, column: 3)
/// print(place)  // line 12, column 3
/// ```
public struct SourceLocation: Hashable, Sendable {
    /// The line, from 1; a line feed, a carriage return, or both end one.
    public let line: Int
    /// The column in Unicode scalars, from 1; a byte order mark does not count.
    public let column: Int

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - line: The line, from 1.
    ///   - column: The column in Unicode scalars, from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `line 3, column 7`.
    public var description: String { "line \(line), column \(column)" }
}
