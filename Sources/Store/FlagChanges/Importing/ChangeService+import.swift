import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension ChangeService {
    /// Computes the effect of an import, without writing or recording denials.
    ///
    /// `nil` for `provider` means the first writable one. Throws if nothing can be imported at all.
    package func plan(
        _ values: ImportedValues, into provider: String? = nil, mode: ImportPlan.Mode, by author: ChangeAuthor
    ) async throws(ChangeError) -> ImportPlan {
        if author.role != .admin { throw .importing(author) }
        let (wishes, moreUnknown, catalogue, target) = try await wishes(of: values, into: provider, mode)
        let changes = wishes.filter { $0.fate == nil }.map(\.change)
        guard changes.count <= Self.largestImport else { throw .importingTooMuch(changes.count) }
        if changes.isEmpty, !catalogue.providers.contains(where: { $0.name == target && $0.isWritable }) {
            throw .notWritable(target, isKnown: catalogue.providers.contains { $0.name == target })
        }
        return try ImportPlan(
            wishes, moreUnknown: moreUnknown, try await preview(ChangeRequest(changes, by: author)), into: target, mode)
    }

    /// Returns the refusal that ``apply(_:into:mode:leavingRefusedOut:reason:by:)`` would meet, by the flags, their values
    /// or the environment's rules.
    package func refusal(
        of plan: ImportPlan, leavingRefusedOut isPartial: Bool, reason: String, by author: ChangeAuthor
    ) async throws(ChangeError) -> ChangeError? {
        if !isPartial, let refusal = plan.refusal { return refusal }
        guard var change = plan.changes.first else { return nil }
        change.reason = reason
        let check = EnvironmentCheck(context, try await reader.state().workspace)
        return check.refusal(of: change, in: plan.provider, by: author)
    }

    private func wishes(
        of values: ImportedValues, into provider: String?, _ mode: ImportPlan.Mode
    ) async throws(ChangeError) -> (
        wishes: [ImportPlan.Wish], moreUnknown: Int, catalogue: FlagCatalogue, target: String
    ) {
        let state = try await reader.state()
        let target =
            provider.map(files.providerName) ?? state.catalogue.providers.filter(\.isWritable).usual?.name ?? ""
        let takesNewFlags = state.workspace.takesNewFlags
        let (wishes, moreUnknown) = try await ImportedValues.apart {
            Result { () throws(ChangeError) in
                try ImportPlan.wishes(of: values, into: target, mode, state.catalogue, takesNewFlags: takesNewFlags)
            }
        }.get()
        return (wishes, moreUnknown, state.catalogue, target)
    }

    /// Makes an import, all or nothing, except with `isPartial`, which leaves refused flags out.
    ///
    /// Denials are recorded. The author's idempotency key names the import, so a repetition gets the first outcomes.
    package func apply(
        _ values: ImportedValues, into provider: String? = nil, mode: ImportPlan.Mode,
        leavingRefusedOut isPartial: Bool = false, reason: String = "", by author: ChangeAuthor
    ) async throws -> ImportPlan {
        let question: FlagValue = .array([
            .string("import"), .data(values.digest), .string(provider ?? ""), .string(mode.rawValue), .bool(isPartial),
            .string(reason),
        ])
        func request(_ changes: [Change]) -> ChangeRequest {
            let changes = changes.map { change in
                var change = change
                change.reason = reason
                return change
            }
            return ChangeRequest(changes, by: author, answering: question)
        }
        guard author.role == .admin else {
            let wishes = try await wishes(of: values, into: provider, mode).wishes
            let changes = wishes.filter { $0.fate == nil }.prefix(Self.largestImport).map(\.change)
            // The queue records the denials.
            if !changes.isEmpty { _ = try await apply(request(Array(changes))) }
            throw ChangeError.importing(author)
        }
        let plan = try await plan(values, into: provider, mode: mode, by: author)
        let refused = isPartial ? [] : plan.leftOut
        let changes = plan.changes + refused.map(\.change)
        guard !changes.isEmpty || author.idempotencyKey != nil else { return plan }
        let hidden = try await reader.state().workspace.hiddenFlags(showsInternal: showsInternal)
        do throws(BatchError) {
            return plan.settled(try await apply(request(changes)), hidden: hidden)
        } catch {
            guard !isPartial, let cause = plan.refusal, error.cause.reason != .keyReused else { throw error }
            throw BatchError(changes: refused, cause: cause)
        }
    }

    /// The most values that one import may change.
    package static let largestImport = 10_000
}

extension ChangeError {
    static func importing(_ author: ChangeAuthor, _ key: FlagKeyPath? = nil) -> ChangeError {
        ChangeError(
            .notAllowed, key: key,
            "\(author.name.shortened(to: 100)) has the role \(author.role.rawValue) and can't "
                + "import\(key.map { " a value of \($0)" } ?? "").",
            remedy: "Ask an admin to import it.")
    }

    static func importingTooMuch(_ count: Int) -> ChangeError {
        ChangeError(
            .invalid,
            "The import has \(count) changes. The limit is \(ChangeService.largestImport) at once.",
            remedy: "Split it. Nothing was changed.")
    }

    fileprivate static func notWritable(_ provider: String, isKnown: Bool) -> ChangeError {
        ChangeError(
            isKnown ? .notAllowed : .unknownProvider,
            "Provider \(provider.shortened(to: 100)) \(isKnown ? "is read-only" : "not found").",
            remedy: "Choose a writable provider.")
    }
}
