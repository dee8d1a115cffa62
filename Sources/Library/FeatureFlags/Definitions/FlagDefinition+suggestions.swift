extension FlagDefinition {
    /// Reads a value that an editor is to offer as one of this flag's type.
    ///
    /// - Parameter stored: The value as it is declared or stands in a manifest.
    /// - Returns: The value in the form of the flag's type.
    /// - Throws: That the flag's type offers all of its values already, or that the flag can't have this one.
    package func suggestion(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        switch type {
        case .bool: throw FlagValueError("a bool has no suggestions: true and false are offered already")
        case .choice: throw FlagValueError("a choice has no suggestions: its choices are offered already")
        default: return try interpret(stored)
        }
    }
}
