import FeatureFlags
import Synchronization

struct EtcdFollower: Sendable {
    /// Weak, and never in an argument or a variable across an `await`, which would keep the provider alive.
    private weak let provider: EtcdProvider?
    private let address: EtcdAddress
    private let access: EtcdAccess
    private let clock: any Clock<Duration>

    init(of provider: EtcdProvider, at address: EtcdAddress, _ access: EtcdAccess, _ clock: any Clock<Duration>) {
        (self.provider, self.address, self.access, self.clock) = (provider, address, access, clock)
    }

    /// Follows until the task is cancelled or the provider is gone.
    func run() async {
        let client = EtcdClient(address, access)
        var backoff = Backoff(first: .milliseconds(500), limit: .seconds(15))
        while !Task.isCancelled, provider != nil {
            do {
                try await follow(client) { backoff.reset() }
            } catch let error as EtcdError where error.isCompaction {
                continue
            } catch let error as EtcdError {
                guard !Task.isCancelled else { break }
                provider?.report(error)
            } catch {
                break
            }
            await client.useNextMember()
            do { try await clock.sleep(for: backoff.next()) } catch { break }
        }
        await client.close()
    }

    private func follow(_ client: EtcdClient, _ wentWell: () -> Void) async throws {
        let layout = EtcdLayout(prefix: address.prefix)
        let all = try await client.content(of: layout.all)
        try provider?.take(all)
        wentWell()
        let watch = try await client.watch(layout.all, from: all.revision + 1)
        let told = ToldRevision(all.revision)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var content = EtcdContent(all.values, layout)
                var pending: Set<FlagKeyPath> = []
                var batches = watch.makeAsyncIterator()
                while let batch = try await batches.next(), let provider {
                    try provider.take(batch, on: &content, of: all.cluster, pending: &pending)
                    told.raise(to: batch.revision)
                }
            }
            group.addTask {
                // A member that is cut off from the others, or silently gone, reports nothing any more.
                var missed: Int64?
                while true {
                    try await clock.sleep(for: EtcdProvider.heartbeat)
                    provider?.keep()
                    let newest = try await client.value(of: layout.row)?.modified ?? 0
                    let known = told.value
                    if let missed, missed > known {
                        throw EtcdError.unreachable(watch.member, "no change events arrive")
                    }
                    missed = newest > known ? newest : nil
                }
            }
            try await group.next()
        }
    }
}

private final class ToldRevision: Sendable {
    private let revision: Mutex<Int64>

    init(_ revision: Int64) { self.revision = Mutex(revision) }

    var value: Int64 { revision.withLock { $0 } }

    func raise(to revision: Int64) { self.revision.withLock { $0 = max($0, revision) } }
}
