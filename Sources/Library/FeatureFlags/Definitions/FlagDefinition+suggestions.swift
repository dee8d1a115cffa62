extension FlagDefinition {
    /// Reads a value that an editor is to offer as one of this flag's type.
    package func suggestion(_ stored: FlagValue) throws(FlagValueError) -> FlagValue {
        switch type {
        case .bool: throw FlagValueError("a bool has no suggestions: true and false are offered already")
        case .choice: throw FlagValueError("a choice has no suggestions: its choices are offered already")
        default: return try interpret(stored)
        }
    }
}
