import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// One round of the write protocol: waiting requests share one replacement of files and one history transaction.
struct ChangeRound: Sendable {
    let context: ChangeContext
    /// The files before the round, then after it.
    var workspace: Workspace
    var unsettled: UnsettledChange?
    var deniedAttempts: DenialLimit

    private enum Verdict {
        case steps([ChangePlan.Step])
        case answered([ChangeOutcome])
        /// The request repeats an earlier one of this round, at this index.
        case repeated(Int)
        case refused(BatchError)

        static func refused(_ cause: ChangeError) -> Verdict { .refused(BatchError(changes: [], cause: cause)) }
    }

    /// Returns the answers to all requests, whose changes are durable then.
    mutating func run(_ requests: [ChangeRequest]) throws(TransactionError) -> [ChangeAnswer] {
        var plan = ChangePlan(context, on: workspace, unsettled: unsettled)
        let verdicts = judge(requests, &plan)
        let records: [HistoryRecord]
        do {
            if plan.makesManifest {
                workspace.manifest = try ManifestCreation(context: context).run()
                plan.begin(with: workspace.manifest)
            }
            records = try write(plan, answers(to: requests, verdicts))
        } catch {
            if case .unsettled(_, let change) = error { unsettled = change }
            throw error
        }
        workspace = plan.workspace
        var answers: [ChangeAnswer] = []
        for (request, verdict) in zip(requests, verdicts) {
            answers.append(answer(request, verdict, records, answers))
        }
        return answers
    }

    private func judge(_ requests: [ChangeRequest], _ plan: inout ChangePlan) -> [Verdict] {
        var named: [ChangeRequest.Name: (place: Int, fingerprint: Data)] = [:]
        return requests.enumerated().map { place, request in
            guard let name = request.name else { return verdict(request, &plan) }
            let fingerprint = request.fingerprint
            if let first = named[name] {
                return first.fingerprint == fingerprint ? .repeated(first.place) : .refused(.keyReused(request.key))
            }
            if let verdict = earlierAnswer(to: request, name, fingerprint, plan) { return verdict }
            let verdict = verdict(request, &plan)
            if case .steps(let steps) = verdict, steps.allSatisfy({ $0.preview.refusal == nil }) {
                named[name] = (place, fingerprint)
            }
            return verdict
        }
    }

    private func verdict(_ request: ChangeRequest, _ plan: inout ChangePlan) -> Verdict {
        let before = plan
        let steps = plan.add(request)
        // A refused change has the better explanation.
        guard isOutdated(request, before), steps.allSatisfy({ $0.preview.refusal == nil }) else { return .steps(steps) }
        plan = before
        return .refused(.outdated)
    }

    /// Returns true if files changed since the changes were computed, or preceding requests change them.
    private func isOutdated(_ request: ChangeRequest, _ plan: ChangePlan) -> Bool {
        request.version.map { $0 != plan.workspace.versionBasis.version(context.versionSecret) } ?? false
    }

    private func earlierAnswer(
        to request: ChangeRequest, _ name: ChangeRequest.Name, _ fingerprint: Data, _ plan: ChangePlan
    ) -> Verdict? {
        do {
            let kept = try context.history.answer(to: name.actor, idempotencyKey: name.idempotencyKey)
            guard let kept else { return nil }
            guard kept.request == fingerprint else { return .refused(.keyReused(request.key)) }
            // An old answer must not reveal a flag that became internal.
            for change in request.changes
            where plan.workspace.definition(of: change.key, showsInternal: true)?.metadata.isInternal == true
                && !context.options.showsInternal
            {
                return .refused(.unknown(change.key))
            }
            return .answered(kept.records.map { $0.map(ChangeOutcome.applied) ?? .unchanged })
        } catch {
            return .refused(ChangeError(storing: error))
        }
    }

    private func answers(to requests: [ChangeRequest], _ verdicts: [Verdict]) -> [RequestAnswer] {
        zip(requests, verdicts).compactMap { request, verdict in
            guard let name = request.name, case .steps(let steps) = verdict,
                steps.allSatisfy({ $0.preview.refusal == nil })
            else { return nil }
            return RequestAnswer(
                actor: name.actor, idempotencyKey: name.idempotencyKey, request: request.fingerprint,
                events: steps.map(\.event))
        }
    }

    private func write(
        _ plan: ChangePlan, _ answers: [RequestAnswer]
    ) throws(TransactionError) -> [HistoryRecord] {
        let (edits, appEdits) = (plan.edits, plan.appEdits)
        guard edits.isEmpty, appEdits.isEmpty else {
            return try FilesTransaction(
                context: context, edits: edits, appEdits: appEdits, events: plan.events, answers: answers,
                workspace: workspace
            ).run()
        }
        // Changes that undo each other leave the files as they are.
        guard !plan.events.isEmpty || !answers.isEmpty else { return [] }
        do {
            return try context.history.append(plan.events, head: nil, answers: answers)
        } catch {
            throw .refused(ChangeError(storing: error), isForAll: error.isBusy)
        }
    }

    private mutating func answer(
        _ request: ChangeRequest, _ verdict: Verdict, _ records: [HistoryRecord], _ earlier: [ChangeAnswer]
    ) -> ChangeAnswer {
        switch verdict {
        case .answered(let outcomes): return .success(outcomes)
        case .repeated(let place): return earlier[place]
        case .refused(let refusal): return .failure(refusal)
        case .steps(let steps):
            let previews = explained(steps.map(\.preview))
            for preview in previews where preview.refusal?.isDenial == true {
                recordDenied(preview, by: request.author)
            }
            if let refusal = previews.lazy.compactMap(\.refusal).first {
                return .failure(BatchError(changes: previews, cause: refusal))
            }
            return .success(steps.map { $0.event.map { .applied(records[$0]) } ?? .unchanged })
        }
    }

    private func explained(_ previews: [ChangePreview]) -> [ChangePreview] {
        guard previews.contains(where: { $0.refusal?.conflict != nil }) else { return previews }
        let hidden = HiddenKeys(flags: workspace.hiddenFlags(showsInternal: context.options.showsInternal))
        return previews.map { $0.explained(in: context, hiddenKeys: hidden) }
    }
}

extension ChangePreview {
    func explained(in context: ChangeContext, hiddenKeys: HiddenKeys) -> ChangePreview {
        guard let conflict = refusal?.conflict else { return self }
        do {
            let traced = try conflict.traced(change.key, in: context.history, hiddenKeys: hiddenKeys)
            return ChangePreview(
                change: change, provider: provider, before: before, after: after,
                refusal: traced.isOfDefinition
                    ? .changedDefinition(change.key, traced) : .conflict(change.key, traced))
        } catch {
            context.options.log("can't look up who changed \(change.key): \(error.description)")
            return self
        }
    }
}
