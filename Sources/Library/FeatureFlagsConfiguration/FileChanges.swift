#if Configuration
    /// The moments at which files may have changed, from several sources, until that is ended.
    struct FileChanges: Sendable {
        /// An element for each moment; those in quick succession may share one.
        let wakes: AsyncStream<Void>
        private let tasks: [Task<Void, Never>]

        /// Begins to listen.
        init(_ sources: [@Sendable (AsyncStream<Void>.Continuation) async -> Void]) {
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.wakes = wakes
            tasks = sources.map { source in Task { await source(wake) } }
        }

        /// Ends it.
        func end() {
            for task in tasks { task.cancel() }
        }
    }

    /// What something is, and again each time that it is something else.
    struct Renewals<Element: Sendable>: AsyncSequence, Sendable {
        typealias Failure = Never

        let wakes: AsyncStream<Void>
        let current: @Sendable () -> Element
        let isSame: @Sendable (Element, Element) -> Bool

        func makeAsyncIterator() -> Iterator { Iterator(renewals: self, wakes: wakes.makeAsyncIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let renewals: Renewals
            var wakes: AsyncStream<Void>.Iterator
            private var last: Element?

            init(renewals: Renewals, wakes: AsyncStream<Void>.Iterator) {
                (self.renewals, self.wakes) = (renewals, wakes)
            }

            mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
                while true {
                    if last != nil, await wakes.next(isolation: actor) == nil { return nil }
                    let current = renewals.current()
                    if let last, renewals.isSame(last, current) { continue }
                    last = current
                    return current
                }
            }
        }
    }
#endif
