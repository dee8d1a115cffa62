extension FlagsManager {
    /// Makes all providers ready, at the same time.
    ///
    /// - Throws: The problem of the first provider that is not ready, after all have been tried.
    public func setUp() async throws { try await providers.attempt { try await $0.setUp() } }

    /// Has all providers read again what they get from elsewhere, at the same time.
    ///
    /// - Throws: The problem of the first provider that could not, after all have been tried; its values stay.
    public func refresh() async throws { try await providers.attempt { try await $0.refresh() } }

    /// Has all providers let go of what ``setUp()`` took, at the same time.
    public func tearDown() async { await providers.tearDown() }
}

extension [any FlagsProvider] {
    /// Does something with all providers at the same time.
    fileprivate func attempt(_ action: @escaping @Sendable (any FlagsProvider) async throws -> Void) async throws {
        let problems = await withTaskGroup(of: (Int, any Error)?.self) { group in
            for (index, provider) in enumerated() {
                group.addTask {
                    do { try await action(provider) } catch { return (index, error) }
                    return nil
                }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
        if let (_, first) = problems.min(by: { $0.0 < $1.0 }) { throw first }
    }

    fileprivate func tearDown() async {
        await withDiscardingTaskGroup { group in
            for provider in self { group.addTask { await provider.tearDown() } }
        }
    }
}
