import FeatureFlags
import FeatureFlagsXML

/// What a provider must hold for a flag where changes are made that leave it alone, as they were worked out from that.
public struct ValueExpectation: Hashable, Sendable {
    /// The flag.
    public let key: FlagKeyPath
    /// The provider's name.
    public let provider: String
    /// The version of the value.
    public let revision: FlagRevision

    /// Makes an expectation.
    public init(key: FlagKeyPath, provider: String, revision: FlagRevision) {
        self.key = key
        self.provider = provider
        self.revision = revision
    }
}

extension FlagEntry {
    /// That a provider holds for the flag what it holds now.
    ///
    /// - Parameter provider: The provider's name.
    /// - Returns: The expectation; `nil` where there is no such provider, or nobody can tell what it holds.
    public func expectation(in provider: String) -> ValueExpectation? {
        revisions[provider].map { ValueExpectation(key: key, provider: provider, revision: $0) }
    }
}

extension ChangePlan {
    /// Why the changes of a request are not made, as flags that they leave alone are not what they were worked out from;
    /// `nil` where all are.
    ///
    /// A flag that can't be seen holds nothing here, so that nobody learns what it holds. Locks don't matter: nothing changes.
    func refusal(ofExpectationsIn request: ChangeRequest) -> BatchRefusal? {
        var overlooked: [FlagKeyPath] = []
        var cause: ChangeRefusal?
        for expectation in request.expectations {
            do {
                try check(expectation)
            } catch {
                guard error.conflict != nil else { return BatchRefusal(changes: [], cause: error) }
                overlooked.append(expectation.key)
                cause = cause ?? error
            }
        }
        return cause.map { BatchRefusal(changes: [], cause: $0, overlooked: overlooked) }
    }

    private func check(_ expectation: ValueExpectation) throws(ChangeRefusal) {
        let key = expectation.key
        var stored: FlagValue?
        if let file = workspace.file(expectation.provider),
            workspace.definition(of: key, showsInternal: context.options.showsInternal) != nil
        {
            stored = try storedValue(of: key, in: try readable(file, key).1)
        }
        guard FlagRevision(of: stored) != expectation.revision else { return }
        throw .overlooked(
            key,
            ChangeConflict(
                provider: expectation.provider, revision: expectation.revision,
                theirs: .init(value: stored, record: nil), yours: nil))
    }
}
