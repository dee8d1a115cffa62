import DurableFiles
import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// Sends each webhook the history's rows in order, while the process serves the flags.
///
/// The history is the queue: after each delivery, the webhook's last row is written to a file. So no change waits for a
/// webhook, and after a crash the unfinished row is sent again under the same id.
package actor WebhookSender {
    package struct Options: Sendable {
        package var post = WebhookPost()
        package var schedule = RetrySchedule()
        package var clock: any Clock<Duration> = ContinuousClock()
        package var now: @Sendable () -> Date = { Date() }
        package var log: @Sendable (String) -> Void = { _ in }
        package var counted: @Sendable (DeliveryOutcome) -> Void = { _ in }
        package var lookup = HostLookup()
        /// Lets admins add private addresses on the page; commands may in any case.
        package var allowsPrivateOnPage = false

        package init() {}
    }

    package nonisolated let file: WebhooksFile
    private let statesFile: WebhookStatesFile
    let service: ChangeService
    let describe: @Sendable (HistoryRecord) throws -> JSONValue
    nonisolated let options: Options
    private let watcher: FileWatcher

    private var webhooks: [Webhook] = []
    /// `nil` until read.
    private var kept: WebhookStatesFile.Content?
    private var wakers: [String: AsyncStream<Void>.Continuation] = [:]
    /// The webhooks whose cursors were checked against the history, once because no other process writes it.
    private var found: Set<String> = []
    private var troubles: [Trouble: String] = [:]

    private enum Trouble: Hashable {
        case webhooks, states, writing, history
    }

    private static let pauseAfterTrouble = Duration.seconds(5)
    /// In rows.
    private static let portion = 100

    package init(
        _ service: ChangeService, describe: @escaping @Sendable (HistoryRecord) throws -> JSONValue,
        options: Options = Options()
    ) {
        self.service = service
        self.describe = describe
        self.options = options
        file = WebhooksFile(service.files.webhooks)
        statesFile = WebhookStatesFile(service.files.webhooksState)
        watcher = FileWatcher([file.url, statesFile.url])
    }

    /// Sends until the task is cancelled.
    package func run() async {
        let edits = watcher.changes()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow() }
            repeat {
                look()
                guard kept != nil else { continue }
                for webhook in webhooks where wakers[webhook.id] == nil {
                    let (signals, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                    wakers[webhook.id] = waker
                    group.addTask { await self.work(webhook.id, signals, waker) }
                }
            } while await nextLook(edits)
            group.cancelAll()
        }
    }

    /// Reads the files again and applies changes.
    package func look() {
        do throws(KeptFileError) {
            if kept == nil { kept = try statesFile.content() }
            settle(.states)
        } catch {
            tell(.states, "can't deliver webhooks: \(error.description)")
        }
        do throws(KeptFileError) {
            let found = try file.webhooks()
            settle(.webhooks)
            guard found != webhooks else { return }
            webhooks = found
            wake()
        } catch {
            tell(.webhooks, "can't apply changes to webhooks: \(error.description)")
        }
    }

    package func reports() throws(HistoryStoreError) -> [WebhookReport] {
        let head = try service.history.chainHead().id
        return webhooks.map { webhook in
            let state = state(of: webhook)
            return WebhookReport(
                webhook: webhook, state: state, lag: max(0, head &- state.cursor),
                deliveries: deliveries(to: webhook))
        }
    }

    func deliveries(to webhook: Webhook) -> [WebhookDelivery] { kept?.deliveries[webhook.id] ?? [] }

    var working: Set<String> { Set(wakers.keys) }

    /// Each webhook's progress, even if the history is unreadable.
    package var standings: [WebhookState] { webhooks.map { state(of: $0) } }

    package var problems: [String] { troubles.sorted { "\($0.key)" < "\($1.key)" }.map(\.value) }

    /// Waits for a change, or for a second where files can't be watched; returns `false` at the end.
    private func nextLook(_ edits: AsyncStream<Void>) async -> Bool {
        do {
            try await Task.sleep(for: watcher.isComplete ? .milliseconds(100) : .seconds(1))
        } catch {
            return false
        }
        guard watcher.isComplete else { return true }
        for await _ in edits { return true }
        return false
    }

    private func follow() async {
        while !Task.isCancelled {
            do {
                let updates = try await service.updates()
                wake()
                for await _ in updates { wake() }
                return
            } catch {
                tell(.history, "webhooks can't follow the history: \(error.description)")
            }
            guard await pause() else { return }
        }
    }

    private func pause() async -> Bool {
        do {
            try await options.clock.sleep(for: Self.pauseAfterTrouble)
            return true
        } catch {
            return false
        }
    }

    private func wake() {
        for waker in wakers.values { waker.yield() }
    }

    private func tell(_ trouble: Trouble, _ text: String) {
        if troubles[trouble] != text { options.log(text) }
        troubles[trouble] = text
    }

    private func settle(_ trouble: Trouble) { troubles[trouble] = nil }
}

extension WebhookSender {
    private enum Next {
        case step
        case signal
        /// Ends early at a signal.
        case wait(Duration)
    }

    /// Sends one webhook row after row, until it is removed or the task is cancelled.
    private func work(_ id: String, _ signals: AsyncStream<Void>, _ waker: AsyncStream<Void>.Continuation) async {
        var iterator = signals.makeAsyncIterator()
        defer { wakers[id] = nil }
        while !Task.isCancelled {
            // A webhook removed a moment ago gets no more messages.
            look()
            guard let webhook = webhooks.first(where: { $0.id == id }) else { return }
            let timer: Task<Void, any Error>?
            switch await step(webhook) {
            case .step: continue
            case .signal: timer = nil
            case .wait(let time):
                timer = Task { [clock = options.clock] in
                    try await clock.sleep(for: time)
                    waker.yield()
                }
            }
            let signal: Void? = await iterator.next(isolation: self)
            timer?.cancel()
            if signal == nil { return }
        }
    }

    func state(of webhook: Webhook) -> WebhookState {
        var state = kept?.states[webhook.id] ?? WebhookState(of: webhook)
        state.takeUp(webhook)
        return state
    }

    private func step(_ webhook: Webhook) async -> Next {
        var state = state(of: webhook)
        if state != kept?.states[webhook.id] { keep(state, of: webhook) }
        guard webhook.paused == nil, state.disabled == nil else { return .signal }
        if let due = state.nextTry {
            let left = due.timeIntervalSince(options.now())
            if left > 0 { return .wait(.seconds(left)) }
        }
        let (wanted, message): (Wanted, WebhookMessage?)
        do {
            if !found.contains(webhook.id) {
                let remark = try state.find(in: service.history)
                found.insert(webhook.id)
                if let remark { options.log("webhook \(webhook.name): \(remark)") }
            }
            wanted = try await nextRow(after: state.position, upTo: state.replay?.to, for: webhook)
            message = try wanted.record.map { WebhookMessage(of: $0, try describe($0), to: webhook) }
            settle(.history)
        } catch {
            tell(.history, "can't deliver changes to webhooks: \(error)")
            return .wait(Self.pauseAfterTrouble)
        }
        guard let message, let record = wanted.record else {
            let isReplay = state.replay != nil
            state.position = wanted.end
            if !isReplay, let mark = wanted.mark { state.mark = mark }
            if isReplay, !wanted.isBehind { state.replay = nil }
            keep(state, of: webhook)
            return isReplay || wanted.isBehind ? .step : .signal
        }
        let occasion = state.replay == nil ? WebhookDelivery.Occasion.change : .replay
        let (outcome, delivery) = await post(
            message, to: webhook, row: record.id, occasion, attempt: state.failures + 1)
        if case .delivered = outcome {} else if Task.isCancelled { return .signal }
        options.counted(outcome)
        let (wasFailing, isReplay) = (state.failingSince != nil, state.replay != nil)
        state.take(outcome, ofRow: record.id, at: options.now(), options.schedule)
        if state.cursor == record.id, !isReplay { state.mark = WebhookState.Mark(record) }
        keep(state, of: webhook, after: delivery)
        if !wasFailing, state.disabled == nil, let problem = outcome.problem {
            options.log(
                "delivery of row \(record.id) to webhook \(webhook.name) failed and will be retried: \(problem)")
        }
        if let disabled = state.disabled { options.log("webhook \(webhook.name) is disabled: \(disabled.why)") }
        return .step
    }

    private struct Wanted {
        var record: HistoryRecord?
        /// The last row examined.
        var end: Int64
        /// Its identity; `nil` if it was passed before.
        var mark: WebhookState.Mark?
        /// `true` if more rows may follow ``end``.
        var isBehind = false
    }

    private func nextRow(after row: Int64, upTo last: Int64?, for webhook: Webhook) async throws -> Wanted {
        let overview = try await service.overview()
        // A later row's flag may have become internal since; the next search examines it.
        let bound = min(try overview.lastRow ?? service.history.chainHead().id, last ?? .max)
        let (records, end) = try service.history.portion(
            matching: HistoryQuery(hiddenKeys: overview.hiddenKeys), after: row, limit: Self.portion)
        for record in records where record.id <= bound && record.event.kind.changesFlags {
            let tags = overview.catalogue[record.event.key]?.definition.metadata.tags ?? []
            let declared = record.event.provider == service.files.localName ? service.files.declaredName : nil
            if webhook.filters.admit(record.event, tags: tags, declared: declared) {
                return Wanted(record: record, end: record.id)
            }
        }
        let isBehind = end.map { $0 < bound } ?? false
        let passed = isBehind ? end ?? row : max(bound, row)
        let mark = try passed > row ? service.history.record(passed, hiddenKeys: []).map(WebhookState.Mark.init) : nil
        return Wanted(end: passed, mark: mark, isBehind: isBehind)
    }

    private func keep(
        _ state: WebhookState, of webhook: Webhook, after delivery: (@Sendable (Int) -> WebhookDelivery)? = nil
    ) {
        guard delivery != nil || kept?.states[webhook.id] != state else { return }
        var content = kept ?? WebhookStatesFile.Content()
        content.states[webhook.id] = state
        if let delivery { content.add(delivery, to: webhook.id) }
        write(content)
    }

    /// Keeps a delivery outside the order, unless the file can't be read.
    func keep(_ delivery: @Sendable (Int) -> WebhookDelivery, to webhook: Webhook) {
        guard var content = kept else { return }
        content.add(delivery, to: webhook.id)
        write(content)
    }

    private func write(_ content: WebhookStatesFile.Content) {
        let known = Set(webhooks.map(\.id))
        // A temporarily missing file does not erase its webhooks' progress. One may have been removed meanwhile.
        let content = known.isEmpty ? content : content.limited(to: known)
        kept = content
        do throws(KeptFileError) {
            try statesFile.write(content)
            settle(.writing)
        } catch {
            tell(
                .writing,
                "can't save what was delivered, so webhooks will get some rows again after a restart: \(error.description)"
            )
        }
    }
}
