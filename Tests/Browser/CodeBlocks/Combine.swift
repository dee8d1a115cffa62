// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stand-ins for the declarations of Apple's Combine that the library and its documentation use; nothing of it ever runs.

import Dispatch

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

public protocol Scheduler {}

extension DispatchQueue: Scheduler {}

public struct AnyPublisher<Output, Failure: Error>: Publisher {}

public final class AnyCancellable {}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure

    public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
    public init(_ value: Output) {}

    public func send(_ input: Output) {}
}

extension Publisher {
    public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> AnyPublisher<Output, Failure> {
        fatalError()
    }

    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil, receiveCancel: (() -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> { fatalError() }

    public func receive(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> { fatalError() }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { fatalError() }
}
