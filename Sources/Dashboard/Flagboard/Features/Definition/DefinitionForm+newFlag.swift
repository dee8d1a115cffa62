import FeatureFlags
import FlagChanges

extension DefinitionForm {
    /// Creates the form of a new flag with the definition of another one, a free key path and a name of its own.
    init(copyOf original: FlagDefinition, in catalogue: FlagCatalogue) {
        var copy = original.copied(to: catalogue.freeKey(like: original.key))
        copy.metadata.name = original.metadata.name.map { "\($0) (copy)" }
        self.init(copy)
        self.original = original.key.text
    }

    var ownProblem: String { isKeyUnusual && problems.count == 1 ? "Check this first:" : Self.fieldsProblem }

    /// Notes what is wrong with a new flag's key path, or unusual unless the form allows that.
    mutating func check(_ key: FlagKeyPath, in catalogue: FlagCatalogue) {
        let advice: String
        if let problem = catalogue.fileProblem(toDefining: key) {
            problems["key"] = problem
            return
        } else if key.components.contains("") {
            advice = "Part of the key path is empty. Separate the parts with single slashes."
        } else if catalogue[key] == nil, !key.isUsual, !isChecked(Self.keptKey) {
            isKeyUnusual = true
            advice = "Key paths usually have only letters, digits, _, - and . between slashes."
        } else {
            return
        }
        problems["key"] = catalogue.usualKey(like: key).map { "\(advice) Use \($0.text)?" } ?? advice
    }
}

extension FlagDefinition {
    /// Leaves out the deprecation, and the parts that only the original's code can have.
    func copied(to key: FlagKeyPath) -> FlagDefinition {
        var copy = self
        copy.key = key
        copy.metadata.retired = nil
        copy.computed = nil
        copy.excludedProviders = []
        return copy
    }
}

extension FlagKeyPath {
    /// Needs no quotes or escapes in apps and command lines.
    var isUsual: Bool { components.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isUsualInKeyPath) } }
}

extension Character {
    fileprivate var isUsualInKeyPath: Bool { isLetter || isNumber || self == "_" || self == "-" || self == "." }
}

extension FlagCatalogue {
    /// Returns a key path with usual characters; `nil` if nothing would be left.
    ///
    /// A first word that names a group becomes the group: `checkout new flag!` becomes `checkout/new_flag`.
    func usualKey(like key: FlagKeyPath) -> FlagKeyPath? {
        var components = key.components.map { $0.split { !$0.isUsualInKeyPath }.map(String.init) }
            .filter { !$0.isEmpty }
        if let first = components.first, first.count > 1, hasGroup(first[0]) {
            components.replaceSubrange(0...0, with: [[first[0]], Array(first.dropFirst())])
        }
        guard !components.isEmpty else { return nil }
        return FlagKeyPath(components: components.map { $0.joined(separator: "_") })
    }

    private func hasGroup(_ name: String) -> Bool {
        entries.contains { $0.key.components.count > 1 && $0.key.components[0] == name }
    }

    /// Returns a key path in the same group that no visible flag has.
    func freeKey(like key: FlagKeyPath) -> FlagKeyPath {
        let candidates = (1...).lazy.map { number in
            FlagKeyPath(
                components: key.components.dropLast() + [key.leaf + (number == 1 ? "_copy" : "_copy_\(number)")])
        }
        return candidates.first { self[$0] == nil } ?? key
    }
}
