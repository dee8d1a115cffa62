/// What a person typed into a flag's form, to show it again where it was refused.
struct FlagForm: Hashable, Sendable {
    /// The value as typed; `nil` where none was sent.
    var value: String?
    /// The reason as typed.
    var reason: String
    /// The provider that the form was for.
    var provider: String?
    /// The revision to base the next attempt on; `nil` for the one that is current.
    var revision: String?
    /// What is wrong with the value; `nil` where nothing is.
    var problem: String?

    init(
        value: String? = nil, reason: String = "", provider: String? = nil, revision: String? = nil,
        problem: String? = nil
    ) {
        self.value = value
        self.reason = reason
        self.provider = provider
        self.revision = revision
        self.problem = problem
    }
}
