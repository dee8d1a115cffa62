/// A flag's value where no provider holds one.
enum FlagDefault<Value: FlagProtocol>: Sendable {
    case fixed(Value)
    /// Computed at each read.
    case dynamic(@Sendable () -> Value)

    var value: Value {
        switch self {
        case .fixed(let value): value
        case .dynamic(let compute): compute()
        }
    }

    var isDynamic: Bool {
        if case .dynamic = self { true } else { false }
    }
}
