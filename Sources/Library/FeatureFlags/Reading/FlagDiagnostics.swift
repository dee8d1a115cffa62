import Synchronization

/// Problems with the flags of a loader or a manager, found by reads and changes.
///
/// ```swift
/// for await diagnostic in manager.diagnostics.reports { print(diagnostic) }
/// ```
public final class FlagDiagnostics: Sendable {
    /// The subject of a diagnostic; a later one replaces an earlier one.
    enum Topic: UInt16 {
        case brokenValue, refusedChange, keyCollision, unstorableDefault, unusableSuggestion, unstorableUserInfo
        case unknownType, providerCollision, misplacedKey, missingProvider, hiddenProperty

        fileprivate var bit: UInt16 { 1 << rawValue }
    }

    fileprivate struct Subject: Hashable {
        let topic: Topic
        let flag: FlagKeyPath?
        let provider: String?
        /// The text of a collision, as a flag can collide with several others.
        var detail: String?
    }

    private struct State {
        private(set) var latest: [Subject: FlagDiagnostic] = [:]
        private var counts: [Topic: Int] = [:]
        var observers: [Int: AsyncStream<FlagDiagnostic>.Continuation] = [:]
        var lastObserver = 0

        /// The bits of the topics that have a problem.
        var topics: UInt16 { counts.keys.reduce(0) { $0 | $1.bit } }

        /// Replaces or removes a problem, and returns the one before.
        @discardableResult
        mutating func update(_ diagnostic: FlagDiagnostic?, for subject: Subject) -> FlagDiagnostic? {
            let before = latest[subject]
            latest[subject] = diagnostic
            let count = counts[subject.topic, default: 0] + (diagnostic == nil ? 0 : 1) - (before == nil ? 0 : 1)
            counts[subject.topic] = count == 0 ? nil : count
            return before
        }
    }

    private let state = Mutex(State())
    /// The topics that have a problem, for reads, which clear a topic each time.
    private let topics = Atomic<UInt16>(0)

    init() {}

    /// The current problems, by flag and then by provider.
    ///
    /// Reads that ask a provider and ``AnyFlag/explain()`` update them; a read doesn't check values behind another
    /// provider's.
    public var current: [FlagDiagnostic] {
        state.withLock { Array($0.latest.values) }
            .sorted(by: FlagDiagnostic.precedes)
    }

    /// Later problems, for one consumer; a problem is not repeated until another or none replaces it.
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
            guard state.update(diagnostic, for: Subject(diagnostic)) != diagnostic else { return }
            topics.store(state.topics, ordering: .relaxed)
            for observer in state.observers.values { observer.yield(diagnostic) }
        }
    }

    /// Removes a problem, once a value is found valid or a change is accepted.
    func clear(_ topic: Topic, of flag: FlagKeyPath, in provider: String?) {
        guard topics.load(ordering: .relaxed) & topic.bit != 0 else { return }
        let subject = Subject(topic: topic, flag: flag, provider: provider)
        state.withLock { state in
            guard state.update(nil, for: subject) != nil else { return }
            topics.store(state.topics, ordering: .relaxed)
        }
    }

    func update(providers: Set<String>, collisions: [FlagDiagnostic]) {
        clear(where: { subject in
            guard let provider = subject.provider, subject.topic != .providerCollision else {
                return subject.topic == .providerCollision
            }
            return providers.contains(provider) == (subject.topic == .missingProvider)
        })
        for collision in collisions { report(collision) }
    }

    func update(flags: Set<FlagKeyPath>, collisions: [FlagDiagnostic]) {
        let standing = Set(collisions.map(Subject.init))
        clear(where: { subject in
            subject.flag.map { !flags.contains($0) } ?? false
                || (subject.topic == .keyCollision && !standing.contains(subject))
        })
        for collision in collisions { report(collision) }
    }

    private func clear(where isOver: (Subject) -> Bool) {
        guard topics.load(ordering: .relaxed) != 0 else { return }
        state.withLock { state in
            for subject in state.latest.keys where isOver(subject) { state.update(nil, for: subject) }
            topics.store(state.topics, ordering: .relaxed)
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
            case .misplacedKey: .misplacedKey
            case .missingProvider: .missingProvider
            case .hiddenProperty: .hiddenProperty
            }
        self.init(
            topic: topic, flag: diagnostic.flag, provider: diagnostic.provider,
            detail: topic == .keyCollision ? diagnostic.problem.description : nil)
    }
}

/// A problem with a flag or a list of providers, which a read, always having a value, can't report.
///
/// ```swift
/// for diagnostic in manager.diagnostics.current {
///     print(diagnostic.flag?.text ?? "all flags", diagnostic.problem)
/// }
/// ```
public struct FlagDiagnostic: Hashable, Sendable {
    /// A kind of problem.
    ///
    /// ```swift
    /// for case .brokenValue(let found, let wanted) in manager.diagnostics.current.map(\.kind) {
    ///     print("wanted \(wanted), found \(found ?? "nothing that can be read")")
    /// }
    /// ```
    public enum Kind: Hashable, Sendable {
        /// A provider's value is not of the flag's type or can't be read.
        ///
        /// The last good value is used; if there is none, the next provider is asked. `found` is the held value, if
        /// known.
        case brokenValue(found: String?, wanted: String)
        /// A value could not be stored.
        case refusedChange
        /// Two flags have the same key path, or the key path of one is a group of the other.
        case keyCollision
        /// The flag's default has no stored form: reads return it, and a manifest leaves it out.
        case unstorableDefault
        /// A suggestion is not a valid value or has no stored form: a manifest leaves it out.
        case unusableSuggestion
        /// An entry of the flag's ``FlagMetadata/userInfo`` has no stored form: a manifest leaves it out.
        case unstorableUserInfo
        /// The stored type of the flag is unknown: a manifest leaves the flag out.
        case unknownType
        /// Two providers of a list have the same name.
        case providerCollision
        /// The flag's `key` contains separators, and a provider holds a value at the path that they would make.
        ///
        /// Such a value is not read: a key is one component, never split. Found when the flag is loaded, and again when
        /// the manager sets up or refreshes its providers.
        case misplacedKey
        /// The only provider that the flag is read from was not in the list when the flag was loaded.
        case missingProvider
        /// A property of the collection has the name of a member of ``FlagsLoader``, which hides it.
        case hiddenProperty
    }

    /// The flag's key path; `nil` if the problem is not one flag's.
    public let flag: FlagKeyPath?
    /// The provider's name; `nil` if the problem is not a provider's.
    public let provider: String?
    /// The kind of problem.
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
    /// Orders by flag, provider and cause.
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
        case .refusedChange: "can't change \(subject) in \(provider ?? "a provider"): \(problem)"
        case .keyCollision, .unstorableDefault, .unusableSuggestion, .unstorableUserInfo, .unknownType,
            .providerCollision, .misplacedKey, .missingProvider, .hiddenProperty:
            "\(subject): \(problem)"
        }
    }

    private var subject: String { flag?.text ?? provider ?? "" }
}
