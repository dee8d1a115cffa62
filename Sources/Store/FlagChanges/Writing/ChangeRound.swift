import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// One round of the write protocol: requests that wait together are checked one on top of the other, and those that are
/// not refused share one replacement of the files and one transaction of the history.
struct ChangeRound: Sendable {
    /// How a round ended.
    enum Result: Sendable {
        /// Each request has its answer, and what is said to be done is durable.
        case settled([ChangeAnswer])
        /// Another program changed a file meanwhile: nothing was done.
        case raced
        /// Nothing was done; `isForAll` where none of the requests would fare better alone.
        case failed(ChangeError, isForAll: Bool)
    }

    let context: ChangeContext
    /// The files as they were last read; afterwards, as this round leaves them.
    var workspace: Workspace
    /// What must be settled before anything else is written.
    var unsettled: UnsettledChange?
    var deniedAttempts: DenialLimit

    /// What becomes of a request, as far as that can be told before anything is written.
    private enum Verdict {
        case steps([ChangePlan.Step])
        /// The request was answered before.
        case answered([ChangeOutcome])
        /// The request is the same as another one of this round, at that place.
        case repeated(Int)
        /// The request is refused as a whole.
        case refused(BatchError)

        static func refused(_ cause: ChangeError) -> Verdict { .refused(BatchError(changes: [], cause: cause)) }
    }

    /// Does it.
    mutating func run(_ requests: [ChangeRequest]) -> Result {
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
            switch error {
            case .raced: return .raced
            case .refused(let refusal, let isForAll): return .failed(refusal, isForAll: isForAll)
            case .unsettled(let refusal, let change):
                unsettled = change
                return .failed(refusal, isForAll: true)
            }
        }
        workspace = plan.workspace
        var answers: [ChangeAnswer] = []
        for (request, verdict) in zip(requests, verdicts) {
            answers.append(answer(request, verdict, records, answers))
        }
        return .settled(answers)
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

    /// What a request comes to that has not been answered yet.
    private func verdict(_ request: ChangeRequest, _ plan: inout ChangePlan) -> Verdict {
        let before = plan
        let steps = plan.add(request)
        // A refusal of one of the changes says more.
        guard isOutdated(request, before), steps.allSatisfy({ $0.preview.refusal == nil }) else { return .steps(steps) }
        plan = before
        return .refused(.outdated)
    }

    /// Whether the files hold something else than when the changes were worked out, or are about to before them.
    private func isOutdated(_ request: ChangeRequest, _ plan: ChangePlan) -> Bool {
        request.version.map { $0 != plan.workspace.versionBasis.version(context.versionSecret) } ?? false
    }

    /// What a request of this name was answered before this round.
    private func earlierAnswer(
        to request: ChangeRequest, _ name: ChangeRequest.Name, _ fingerprint: Data, _ plan: ChangePlan
    ) -> Verdict? {
        do {
            let kept = try context.history.answer(to: name.actor, idempotencyKey: name.idempotencyKey)
            guard let kept else { return nil }
            guard kept.request == fingerprint else { return .refused(.keyReused(request.key)) }
            // A flag that has become internal since must not show by an answer of before.
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

    /// The answers that are to be kept.
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
        let edits = plan.edits
        guard edits.isEmpty else {
            return try FilesTransaction(
                context: context, edits: edits, events: plan.events, answers: answers, workspace: workspace
            ).run()
        }
        // Changes of which each undoes another leave every file as it is.
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
        case .answered(let outcomes): return .done(outcomes)
        case .repeated(let place): return earlier[place]
        case .refused(let refusal): return .refused(refusal)
        case .steps(let steps):
            let previews = explained(steps.map(\.preview))
            for preview in previews where preview.refusal?.isDenial == true {
                recordDenied(preview, by: request.author)
            }
            if let refusal = previews.lazy.compactMap(\.refusal).first {
                return .refused(BatchError(changes: previews, cause: refusal))
            }
            return .done(steps.map { $0.event.map { .applied(records[$0]) } ?? .unchanged })
        }
    }

    /// Previews with what the history knows of their conflicts.
    private func explained(_ previews: [ChangePreview]) -> [ChangePreview] {
        guard previews.contains(where: { $0.refusal?.conflict != nil }) else { return previews }
        let hidden = HiddenKeys(flags: workspace.hiddenFlags(showsInternal: context.options.showsInternal))
        return previews.map { $0.explained(in: context, hiddenKeys: hidden) }
    }
}

extension ChangePreview {
    /// The preview with what the history knows of a conflict.
    func explained(in context: ChangeContext, hiddenKeys: HiddenKeys) -> ChangePreview {
        guard let conflict = refusal?.conflict else { return self }
        do {
            let traced = try conflict.traced(change.key, in: context.history, hiddenKeys: hiddenKeys)
            return ChangePreview(
                change: change, provider: provider, before: before, after: after,
                refusal: traced.isOfDefinition
                    ? .changedDefinition(change.key, traced) : .conflict(change.key, traced))
        } catch {
            context.options.log("who changed \(change.key) can't be looked up: \(error.description)")
            return self
        }
    }
}
