import SwiftSyntax

/// Code that is nested too deeply to be read: whatever walks it calls itself for each level.
struct SourceDepthError: Error {
    /// How many levels there may be.
    let limit: Int

    /// How deeply code may be nested: each member that is asked of another one is a level, as are brackets and blocks.
    static let maximum = 10_000
    /// How many brackets, blocks and types the parser follows one within the other, some of which are several levels for it.
    static let parserMaximum = 1_000
}

extension SourceFileSyntax {
    /// Looks how deeply the code is nested, without a call for each level.
    ///
    /// - Throws: ``SourceDepthError`` where that is more than ``SourceDepthError/maximum``.
    func checkDepth() throws(SourceDepthError) {
        var waiting = [(Syntax(self), depth: 0)]
        while let (node, depth) = waiting.popLast() {
            guard depth <= SourceDepthError.maximum else { throw SourceDepthError(limit: SourceDepthError.maximum) }
            for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
                waiting.append((child, depth + 1))
            }
        }
    }
}
