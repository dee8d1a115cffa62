import Synchronization

/// What is wrong with the flags of a loader or a manager, as reads and changes find it out.
///
/// ```swift
/// for await diagnostic in manager.diagnostics.reports { print(diagnostic) }
/// ```
public final class FlagDiagnostics: Sendable {
    /// What a diagnostic is about: a later one on the same takes its place.
    enum Topic: Hashable {
        case brokenValue, refusedChange, keyCollision, unstorableDefault, unusableSuggestion, unstorableUserInfo
        case unknownType, providerCollision
    }

    fileprivate struct Subject: Hashable {
        let topic: Topic
        let flag: FlagKeyPath?
        let provider: String?
        /// Of collisions, the words: a flag can collide with several others.
        var detail: String?
    }

    private struct State {
        var latest: [Subject: FlagDiagnostic] = [:]
        var observers: [Int: AsyncStream<FlagDiagnostic>.Continuation] = [:]
        var lastObserver = 0
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    init() {}

    /// What is wrong at the last look, by flag and then by provider.
    ///
    /// A value is looked at by a read that asks its provider and by ``AnyFlag/explain()``; one that stands behind another
    /// provider's is not by a read.
    public var current: [FlagDiagnostic] {
        state.withLock { Array($0.latest.values) }
            .sorted(by: FlagDiagnostic.precedes)
    }

    /// What is found to be wrong from now on, for one consumer; the same is not said twice in a row of one matter.
    public var reports: AsyncStream<FlagDiagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagDiagnostic.self)
        let id = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[id] = nil } }
        return stream
    }

    package func report(_ diagnostic: FlagDiagnostic) {
        state.withLock { state in
            guard state.latest.updateValue(diagnostic, forKey: Subject(diagnostic)) != diagnostic else { return }
            count.store(state.latest.count, ordering: .relaxed)
            for observer in state.observers.values { observer.yield(diagnostic) }
        }
    }

    /// Called where a flag's value in a provider is found to be well, or a change of it was taken.
    func clear(_ topic: Topic, of flag: FlagKeyPath, in provider: String?) {
        let subject = Subject(topic: topic, flag: flag, provider: provider)
        guard count.load(ordering: .relaxed) > 0 else { return }
        state.withLock { state in
            state.latest[subject] = nil
            count.store(state.latest.count, ordering: .relaxed)
        }
    }

    /// Called where a list of providers is another than before.
    func update(providers: Set<String>, collisions: [FlagDiagnostic]) {
        clear(where: { $0.topic == .providerCollision || $0.provider.map { !providers.contains($0) } ?? false })
        for collision in collisions { report(collision) }
    }

    /// Called where the flags are others than before.
    func update(flags: Set<FlagKeyPath>, collisions: [FlagDiagnostic]) {
        let standing = Set(collisions.map(Subject.init))
        clear(where: { subject in
            subject.flag.map { !flags.contains($0) } ?? false
                || (subject.topic == .keyCollision && !standing.contains(subject))
        })
        for collision in collisions { report(collision) }
    }

    private func clear(where isOver: (Subject) -> Bool) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        state.withLock { state in
            state.latest = state.latest.filter { !isOver($0.key) }
            count.store(state.latest.count, ordering: .relaxed)
        }
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.finish() }
    }
}

extension FlagDiagnostics.Subject {
    fileprivate init(_ diagnostic: FlagDiagnostic) {
        let topic: FlagDiagnostics.Topic =
            switch diagnostic.kind {
            case .brokenValue: .brokenValue
            case .refusedChange: .refusedChange
            case .keyCollision: .keyCollision
            case .unstorableDefault: .unstorableDefault
            case .unusableSuggestion: .unusableSuggestion
            case .unstorableUserInfo: .unstorableUserInfo
            case .unknownType: .unknownType
            case .providerCollision: .providerCollision
            }
        self.init(
            topic: topic, flag: diagnostic.flag, provider: diagnostic.provider,
            detail: topic == .keyCollision ? diagnostic.problem.description : nil)
    }
}

/// Something that is wrong with a flag or a list of providers and that a read can't say, since a read always has a value.
///
/// ```swift
/// for diagnostic in manager.diagnostics.current {
///     print(diagnostic.flag?.text ?? "all flags", diagnostic.problem)
/// }
/// ```
public struct FlagDiagnostic: Hashable, Sendable {
    /// What is wrong.
    ///
    /// ```swift
    /// for case .brokenValue(let found, let wanted) in manager.diagnostics.current.map(\.kind) {
    ///     print("wanted \(wanted), found \(found ?? "nothing that can be read")")
    /// }
    /// ```
    public enum Kind: Hashable, Sendable {
        /// A provider holds no value of the flag's type, or can't read it; its last good value counts, and where it never held one, the
        /// next provider was asked.
        ///
        /// `found` is what it holds, where that can be said.
        case brokenValue(found: String?, wanted: String)
        /// A value could not be stored.
        case refusedChange
        /// Two flags have one key path, or one's is a group of the other's.
        case keyCollision
        /// The flag's default has no stored form: a read returns it, and a manifest leaves it out.
        case unstorableDefault
        /// A value that the flag's editor is to offer is none that it can have, or has no stored form: a manifest leaves it out.
        case unusableSuggestion
        /// An entry of the flag's ``FlagMetadata/userInfo`` has no stored form: a manifest leaves it out.
        case unstorableUserInfo
        /// Nothing says what the flag's value is stored as, so that a manifest leaves the flag out.
        case unknownType
        /// Two providers of one list have the same name, by which nothing can tell them apart.
        case providerCollision
    }

    /// The flag's key path; `nil` where it is no single flag's matter.
    public let flag: FlagKeyPath?
    /// The provider's name, where it is a provider's matter.
    public let provider: String?
    /// What is wrong.
    public let kind: Kind
    /// The cause in words.
    public let problem: FlagValueError

    package init(flag: FlagKeyPath?, provider: String?, kind: Kind, problem: FlagValueError) {
        self.flag = flag
        self.provider = provider
        self.kind = kind
        self.problem = problem
    }
}

extension FlagDiagnostic {
    /// By flag, then by provider, then by cause.
    static func precedes(_ left: FlagDiagnostic, _ right: FlagDiagnostic) -> Bool {
        let (leftKey, rightKey) = (left.flag?.components ?? [], right.flag?.components ?? [])
        guard leftKey == rightKey else { return leftKey.lexicographicallyPrecedes(rightKey) }
        return (left.provider ?? "", left.problem.description) < (right.provider ?? "", right.problem.description)
    }
}

extension FlagDiagnostic: CustomStringConvertible {
    /// The flag, the provider and the cause.
    public var description: String {
        switch kind {
        case .brokenValue: "\(subject) in \(provider ?? "a provider") is broken: \(problem)"
        case .refusedChange: "\(subject) can't be changed in \(provider ?? "a provider"): \(problem)"
        case .keyCollision, .unstorableDefault, .unusableSuggestion, .unstorableUserInfo, .unknownType,
            .providerCollision:
            "\(subject): \(problem)"
        }
    }

    private var subject: String { flag?.text ?? provider ?? "" }
}
