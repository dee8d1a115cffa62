import Dispatch
import DurableFiles
import FeatureFlags
import Foundation
import Synchronization

/// A file of values that this process and others read and write.
///
/// Where the file is watched, its values stand in a store that follows it. Where it can't be, each read looks whether the
/// file has changed. Neither waits for a write. A file that was there and is missing counts as one that can't be read.
final class ValuesFile: Sendable {
    let url: URL
    /// What the file was last seen to hold, and what that replaced.
    private let values = FlagValueStore()
    /// Whether the file was ever there.
    private let wasThere = Atomic(false)
    /// The reading that ``values`` are of, where the file is not watched.
    private let takenUp = Mutex(0)
    private let watch = AtomicLazyReference<FileWatch>()
    /// How long a file may be missing or unreadable before that counts: it may be half written, or about to be replaced.
    private let patience: Duration
    /// Where the file is written and its values are published, one after the other; no reader waits for it.
    private let writing = DispatchQueue(label: "flagboard.values-file.writing")
    /// Where the file is read: a lock would be held for as long as that takes.
    private let reading = DispatchQueue(label: "flagboard.values-file.reading")
    private let cache: Mutex<ValuesFileCache>
    private let isReloadWaiting = Atomic(false)
    /// Counts what makes an earlier plan to publish void.
    private let plan = Atomic(0)
    /// The plan that waits for its time, void or not.
    private let waitingPlan = Atomic(0)

    init(_ url: URL, isWatched: Bool, patience: Duration) {
        self.url = url
        self.patience = patience
        cache = Mutex(ValuesFileCache(url))
        guard isWatched, let watch = FileWatch.start(url, onChange: { [weak self] in self?.reloadSoon() }) else {
            return
        }
        _ = self.watch.storeIfNil(watch)
        writing.sync { publish(read()) }
    }

    /// The values; `nil` where the file is not watched.
    var store: FlagValueStore? { watch.load() == nil ? nil : values }

    func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let store { return try store.value(at: key) }
        return try whole(takenUpReading()).get()?.value(at: key)
    }

    /// What was last held at a key path, newest first.
    func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        if store == nil { _ = takenUpReading() }
        return values.lastValues(at: key)
    }

    /// What the file holds now, in a store that stays as it is.
    var currentValues: FlagValueStore {
        if store == nil { _ = takenUpReading() }
        return FlagValueStore(copying: values)
    }

    /// What a file that is not watched holds now; what it holds no longer is kept by the values.
    private func takenUpReading() -> ValuesFileCache.Reading {
        let (found, count) = reading.sync { cache.withLock { ($0.read(), $0.count) } }
        takenUp.withLock { last in
            guard count > last else { return }
            last = count
            put(found)
        }
        return found
    }

    /// A reading in which a file that was there and is gone can't be read.
    private func whole(_ found: ValuesFileCache.Reading) -> ValuesFileCache.Reading {
        switch found {
        case .failure: return found
        case .success(.some):
            wasThere.store(true, ordering: .relaxed)
            return found
        case .success(nil):
            guard wasThere.load(ordering: .relaxed) else { return found }
            return .failure(
                FlagValueError("\(url.path) is missing: put it back, or make an empty property list to have no values"))
        }
    }

    private func put(_ found: ValuesFileCache.Reading) {
        switch whole(found) {
        case .failure(let problem): values.fail(problem)
        case .success(nil): values.replace(with: [:])
        case .success(let document?):
            if case .dictionary(let entries) = document.root { values.replace(with: entries) }
        }
    }

    /// What the file holds now; `nil` where there is none.
    func document() throws(FlagValueError) -> PropertyListDocument? {
        try read().get()
    }

    /// Publishes what the file holds now.
    func refresh() throws(FlagValueError) {
        _ = try writing.sync { whole(reload()) }.get()
    }

    /// How often an edit is tried while programs that take no turns write the file.
    private static let maximumTries = 100

    /// Applies an edit to the file; where another writer was faster, to what that one wrote.
    func edit(_ edit: (PropertyListDocument) throws -> PropertyListDocument) throws {
        try writing.sync {
            // A link into a folder that is missing may lead to a volume that is not there now: none is made for it.
            if try !AtomicFile.hasFolder(url) {
                // What would leave an empty file leaves no folder either.
                let empty = PropertyListDocument.empty()
                guard try edit(empty).source != empty.source else { return }
                try AtomicFile.makeFolder(of: url)
            }
            let target = AtomicFile.target(of: url)
            try FolderLock.take(beside: target) { Result { try self.edit(target, edit) } }.get()
        }
    }

    private func edit(_ target: URL, _ edit: (PropertyListDocument) throws -> PropertyListDocument) throws {
        for _ in 0..<Self.maximumTries {
            let (reading, before) = reading.sync { cache.withLock { ($0.read(), $0.signature) } }
            let document = try reading.get()
            let edited = try edit(document ?? .empty())
            if edited.source != (document ?? .empty()).source {
                guard try FileReplacement.replace(target, ifStill: before, with: edited.source) else { continue }
                self.reading.sync { cache.withLock { $0.expect(edited) } }
                publish(.success(edited))
                try AtomicFile.synchronizeFolder(of: target)
            } else {
                publish(reading)
            }
            return
        }
        throw FileAccessError.keepsChanging(url)
    }

    private func read() -> ValuesFileCache.Reading {
        reading.sync { cache.withLock { $0.read() } }
    }

    private func publish(_ reading: ValuesFileCache.Reading) {
        plan.add(1, ordering: .relaxed)
        put(reading)
    }

    private func reloadSoon() {
        guard !isReloadWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        writing.async { [weak self] in _ = self?.reload() }
    }

    private func reload() -> ValuesFileCache.Reading {
        isReloadWaiting.store(false, ordering: .releasing)
        let reading = read()
        if case .success(.some) = reading {
            publish(reading)
        } else {
            publishLater()
        }
        return reading
    }

    /// Publishes after a while what the file then holds, unless it was published before.
    ///
    /// Where that is planned already, the time stays as it is: a file that keeps being written badly would else never be told.
    private func publishLater() {
        guard waitingPlan.load(ordering: .relaxed) != plan.load(ordering: .relaxed) else { return }
        let plan = plan.add(1, ordering: .relaxed).newValue
        waitingPlan.store(plan, ordering: .relaxed)
        let (seconds, attoseconds) = patience.components
        let delay = DispatchTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        writing.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, self.plan.load(ordering: .relaxed) == plan else { return }
            publish(read())
        }
    }
}
