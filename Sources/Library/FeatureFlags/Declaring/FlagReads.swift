/// An observer of the flags that a body reads.
package protocol FlagReadObserver: Sendable {
    /// Called before a flag is read.
    func willRead<Value: FlagProtocol>(_ flag: Flag<Value>)
}

package enum FlagReads {
    @TaskLocal private static var observer: (any FlagReadObserver)?

    /// Runs a body, and passes each flag to the observer before the body reads it.
    package static func pass<Result>(to observer: any FlagReadObserver, of body: () throws -> Result) rethrows -> Result
    {
        // While the body runs, no cache answers a read.
        FlagGeneration.beginOverriding()
        defer { FlagGeneration.endOverriding() }
        return try $observer.withValue(observer, operation: body)
    }

    /// Passes a flag to the task's observer, which may itself read flags.
    static func pass<Value: FlagProtocol>(_ flag: DeclaredFlag<Value>) {
        guard let observer else { return }
        $observer.withValue(nil) { observer.willRead(Flag(declared: flag)) }
    }
}
