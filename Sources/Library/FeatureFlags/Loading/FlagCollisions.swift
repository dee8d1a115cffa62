extension Sequence where Element == any AnyFlag {
    /// Flags that share a key path, or one of which stands in another's place as a group: each named with the other.
    var collisions: [FlagDiagnostic] {
        var flags: [FlagKeyPath: any AnyFlag] = [:]
        var collisions: [FlagDiagnostic] = []
        for flag in self {
            if let other = flags.updateValue(flag, forKey: flag.keyPath) {
                collisions.append(
                    collision(flag, "\(flag.place) and \(other.place) share the key path; give one another key"))
            }
        }
        for flag in flags.values {
            for ancestor in flag.keyPath.ancestors {
                guard let other = flags[ancestor] else { continue }
                collisions.append(
                    collision(
                        flag,
                        "it stands below \(ancestor.text), which \(other.place) has as its own; give one another key"))
            }
        }
        return collisions.sorted(by: FlagDiagnostic.precedes)
    }

    private func collision(_ flag: any AnyFlag, _ text: String) -> FlagDiagnostic {
        FlagDiagnostic(flag: flag.keyPath, provider: nil, kind: .keyCollision, problem: FlagValueError(text))
    }
}

extension AnyFlag {
    /// The flag's place in words: `List > Infinite Scroll`.
    var place: String { (groups + [name]).joined(separator: " > ") }
}
