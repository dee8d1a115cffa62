import Dispatch
import DurableFiles
import FeatureFlags
import Foundation
import Synchronization

/// A file of values that this process and others read and write.
///
/// A store follows a watched file; otherwise each read checks for changes. A file that disappeared counts as
/// unreadable.
final class ValuesFile: Sendable {
    let url: URL
    private let values = FlagValueStore()
    private let wasThere = Atomic(false)
    /// The number of the last reading of an unwatched file.
    private let takenUp = Mutex(0)
    private let watch = AtomicLazyReference<FileWatch>()
    /// The time that a file may be missing or unreadable, since it may be half written or about to be replaced.
    private let patience: Duration
    /// A change writes a binary property list as one; else it is refused.
    private let keepsBinary: Bool
    /// Serializes writing the file and publishing its values; no reader waits for it.
    private let writing = DispatchQueue(label: "flagboard.values-file.writing")
    /// A queue rather than a lock, which would be held while the file is read.
    private let reading = DispatchQueue(label: "flagboard.values-file.reading")
    private let cache: Mutex<ValuesFileCache>
    private let isReloadWaiting = Atomic(false)
    /// Invalidates earlier plans to publish.
    private let plan = Atomic(0)
    /// The plan that is scheduled, valid or not.
    private let waitingPlan = Atomic(0)

    init(_ url: URL, isWatched: Bool, patience: Duration, keepsBinary: Bool = false) {
        self.url = url
        self.keepsBinary = keepsBinary
        self.patience = patience
        cache = Mutex(ValuesFileCache(url))
        guard isWatched, let watch = FileWatch.start(url, onChange: { [weak self] in self?.reloadSoon() }) else {
            return
        }
        _ = self.watch.storeIfNil(watch)
        writing.sync { publish(read()) }
    }

    var store: FlagValueStore? { watch.load() == nil ? nil : values }

    func value(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let store { return try store.value(at: key) }
        return try whole(takenUpReading()).get()?.value(at: key)
    }

    func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        if store == nil { _ = takenUpReading() }
        return values.lastValues(at: key)
    }

    /// A copy of the values that doesn't follow later changes.
    var currentValues: FlagValueStore {
        if store == nil { _ = takenUpReading() }
        return FlagValueStore(copying: values)
    }

    /// Returns the contents of an unwatched file; ``values`` keep those that it no longer holds.
    private func takenUpReading() -> ValuesFileCache.Reading {
        let (found, count) = reading.sync { cache.withLock { ($0.read(), $0.count) } }
        takenUp.withLock { last in
            guard count > last else { return }
            last = count
            put(found)
        }
        return found
    }

    /// Turns the absence of a file that existed before into a failure.
    private func whole(_ found: ValuesFileCache.Reading) -> ValuesFileCache.Reading {
        switch found {
        case .failure: return found
        case .success(.some):
            wasThere.store(true, ordering: .relaxed)
            return found
        case .success(nil):
            guard wasThere.load(ordering: .relaxed) else { return found }
            return .failure(
                FlagValueError("\(url.path) is missing; put it back, or create an empty property list"))
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

    func document() throws(FlagValueError) -> PropertyListDocument? {
        try read().get()
    }

    func refresh() throws(FlagValueError) {
        _ = try writing.sync { whole(reload()) }.get()
    }

    /// A limit of retries, since other programs may write without taking the lock.
    private static let maximumTries = 100

    /// Applies an edit to the file, again if another writer was faster.
    func edit(_ edit: (PropertyListDocument) throws -> PropertyListDocument) throws {
        try writing.sync {
            // A link into a missing folder may lead to an unmounted volume, so no folder is created for it.
            if try !AtomicFile.hasFolder(url) {
                // An edit that would leave an empty file creates no folder either.
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
            let (reading, before, isBinary) = reading.sync {
                cache.withLock { ($0.read(), $0.signature, $0.isBinary) }
            }
            let document = try reading.get()
            let edited = try edit(document ?? .empty())
            if edited.source != (document ?? .empty()).source {
                guard !isBinary || keepsBinary else { throw FlagValueError(Self.onlyRead(url)) }
                let data = isBinary ? try edited.binary : edited.source
                guard try FileReplacement.replace(target, ifStill: before, with: data) else { continue }
                self.reading.sync { cache.withLock { $0.expect(edited, written: data) } }
                publish(.success(edited))
                try AtomicFile.synchronizeFolder(of: target)
            } else {
                publish(reading)
            }
            return
        }
        throw FileAccessError.keepsChanging(url)
    }

    private static func onlyRead(_ url: URL) -> String {
        "\(url.path) is a binary property list, which is read-only; convert it to XML, or set keepsBinary: true on its "
            + "provider"
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

    private static let longestPatience = Duration.seconds(Int32.max)

    /// Publishes the file after ``patience``, unless that is planned: a repeatedly half-written file would never be
    /// reported.
    private func publishLater() {
        guard waitingPlan.load(ordering: .relaxed) != plan.load(ordering: .relaxed) else { return }
        let plan = plan.add(1, ordering: .relaxed).newValue
        waitingPlan.store(plan, ordering: .relaxed)
        let (seconds, attoseconds) = min(patience, Self.longestPatience).components
        // A `DispatchTimeInterval` counts in `Int`, which has 32 bits on some watches.
        let delay = Double(seconds) + Double(attoseconds) / 1e18
        writing.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, self.plan.load(ordering: .relaxed) == plan else { return }
            publish(read())
        }
    }
}
