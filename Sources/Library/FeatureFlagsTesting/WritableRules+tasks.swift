import FeatureFlags
import Testing

/// The rules for change reports and concurrent use.
extension WritableRules {
    /// Every change is reported once, in order, with the new value.
    func telling() async throws {
        guard let store = provider.store, let first = samples.first else { return }
        let other = samples.last ?? first
        let updates = store.updates
        let (a, b) = (key("told", "a"), key("told", "b"))
        let last = key("told", "last")
        let changes: [(FlagKeyPath, FlagValue?)] = [
            (a, first), (b, other), (a, nil), (a, other), (b, nil), (last, other),
        ]
        for (key, value) in changes {
            try provider.setStoredValue(value, at: key)
            try provider.setStoredValue(value, at: key)
            expect(try store.value(at: key) == value, "the store has the same values as the provider")
            expect(try provider.storedValue(at: key) == value, "the provider has the value that was set")
        }
        let told = await Self.elements(of: updates) { $0.keys.contains(last) }
        expect(told.count == changes.count, "every change is announced exactly once")
        for (update, (key, value)) in zip(told, changes) {
            expect(update.keys == [key], "a change names the key path, and a change without effect is not announced")
            expect(try update.value(at: key) == value, "a change contains the value after it")
        }
        try await provider.refresh()
        expect(try provider.storedValue(at: a) == other, "a refresh keeps the stored values")
    }

    /// All values that 8 tasks write are held, and none in between.
    func concurrency() async throws {
        let (tasks, count) = (8, 12)
        let values = samples
        let provider = provider
        let shared = key("shared", "value")
        try await withThrowingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in 0..<count {
                        let value = values[(task + number) % values.count]
                        let own = FlagKeyPath(components: ["task\(task)", "n\(number)"])
                        try provider.setStoredValue(value, at: own)
                        try provider.setStoredValue(value, at: shared)
                        let isHeld = try provider.storedValue(at: own) == value
                        let found = try provider.storedValue(at: shared)
                        guard isHeld, let found, values.contains(found) else { return (task, number) as (Int, Int)? }
                    }
                    return nil
                }
            }
            for try await failure in group {
                expect(
                    failure == nil, "a task reads what it wrote while 7 others write; failed at \(failure ?? (0, 0))")
            }
        }
        for (task, number) in (0..<tasks).flatMap({ task in (0..<count).map { (task, $0) } }) {
            let own = key("task\(task)", "n\(number)")
            expect(
                try provider.storedValue(at: own) == values[(task + number) % values.count],
                "no task's change is lost to another's")
        }
    }

    /// Collects elements up to the last one, for at most 20 s.
    private static func elements<Element: Sendable>(
        of stream: AsyncStream<Element>, until isLast: @escaping @Sendable (Element) -> Bool
    ) async -> [Element] {
        let collected = Task {
            var elements: [Element] = []
            for await element in stream {
                elements.append(element)
                if isLast(element) { break }
            }
            return elements
        }
        let deadline = Task {
            try await Task.sleep(for: .seconds(20))
            collected.cancel()
        }
        let elements = await collected.value
        deadline.cancel()
        return elements
    }
}
