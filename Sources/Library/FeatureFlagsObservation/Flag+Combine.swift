#if canImport(Combine)
    import Combine
    import FeatureFlags

    extension Flag {
        /// The current value and then each different one, as ``values``.
        ///
        /// A subscriber gets the current value at once, and later values on threads of Swift's concurrency. A
        /// subscriber without demand skips to the latest value.
        ///
        /// ```swift
        /// import Combine
        ///
        /// let retries = flags.$paymentRetries.publisher.sink { print($0) }
        /// ```
        public var publisher: AnyPublisher<Value, Never> {
            let flag = self
            return Deferred {
                let latest = Latest(subject: CurrentValueSubject<Value, Never>(flag.wrappedValue))
                let following = Task.detached {
                    for await value in flag.values { latest.subject.send(value) }
                }
                return latest.subject
                    .removeDuplicates { $0.isSame(as: $1) }
                    .handleEvents(receiveCancel: { following.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    /// The subject of one subscription.
    // `@unchecked` because Combine does not declare subjects as sendable, although any thread may send to them.
    private struct Latest<Value>: @unchecked Sendable {
        let subject: CurrentValueSubject<Value, Never>
    }
#endif
