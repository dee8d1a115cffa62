/// What a read of a flag returns, and why: every provider's answer in order, and the source that won.
///
/// ```swift
/// let resolution = flags.$paymentRetries.explain().resolution
/// print(resolution.effectiveValue ?? "none", resolution.isOverridden)
/// ```
public struct FlagResolution: Hashable, Sendable {
    /// What one provider said.
    ///
    /// ```swift
    /// for reading in flags.$paymentRetries.explain().resolution.readings {
    ///     print(reading.provider, reading.answer.stored ?? "holds none")
    /// }
    /// ```
    public struct Reading: Hashable, Sendable {
        /// The provider's name.
        public let provider: String
        /// Its answer.
        public let answer: Answer
        /// The last good value that it held, where its answer is broken; `nil` where it never held one, or none any more when it could
        /// last be read.
        public let lastGood: FlagValue?
        /// Whether a read asks the provider; one that it doesn't ask holds the values of another environment, and what it holds
        /// counts for nothing here.
        public let isAsked: Bool

        init(provider: String, answer: Answer, lastGood: FlagValue? = nil, isAsked: Bool = true) {
            self.provider = provider
            self.answer = answer
            self.lastGood = lastGood
            self.isAsked = isAsked
        }

        /// Why what it holds can't be used; `nil` where it can be, or there is nothing.
        public var problem: FlagValueError? {
            if case .broken(let problem, _) = answer { problem } else { nil }
        }

        /// What counts of it: its value, or the last good one; `nil` where the next provider is asked.
        public var valueInForce: FlagValue? {
            switch answer {
            case .absent: nil
            case .value(let value, _): value
            case .broken: lastGood
            }
        }
    }

    /// A provider's answer for one flag.
    ///
    /// ```swift
    /// switch flags.$paymentRetries.explain().resolution["Local"] {
    /// case .value(let value, _): print("it holds \(value)")
    /// case .broken(let problem, _): print("it can't be read: \(problem)")
    /// case .absent, nil: print("it holds none")
    /// }
    /// ```
    public enum Answer: Hashable, Sendable {
        /// It holds no value: the next provider is asked.
        case absent
        /// It holds a value of the flag's type.
        case value(FlagValue, stored: FlagValue)
        /// It holds something that is no value of the flag's type, or can't be read: its last good value counts (``Reading/lastGood``),
        /// and where it never held one, the next provider is asked.
        case broken(FlagValueError, stored: FlagValue?)

        /// What the provider holds, also where that is no value of the flag's type; `nil` where it holds nothing, or can't be read.
        public var stored: FlagValue? {
            switch self {
            case .absent: nil
            case .value(_, let stored): stored
            case .broken(_, let stored): stored
            }
        }
    }

    /// Where the effective value comes from.
    ///
    /// ```swift
    /// if case .provider(let name) = flags.$paymentRetries.explain().resolution.source {
    ///     print("the value is from \(name)")
    /// }
    /// ```
    public enum Source: Hashable, Sendable {
        /// The provider of this name.
        case provider(String)
        /// The code that declares the flag, which was asked before any provider.
        case computed
        /// The definition's default.
        case defaultValue
        /// Nowhere: no provider holds a value and there is no default.
        case none
    }

    /// Every provider's answer, in order of precedence, with those of providers that a read doesn't ask.
    public let readings: [Reading]
    /// The value that a read returns; `nil` where ``source`` is ``Source/none``.
    public let effectiveValue: FlagValue?
    /// Where ``effectiveValue`` comes from.
    public let source: Source
    /// Whether ``effectiveValue`` is the last good value of ``source``, which is broken now.
    public private(set) var isStale = false

    /// Whether the answer of any provider that is asked is broken.
    public var isBroken: Bool {
        asked.contains { if case .broken = $0.answer { true } else { false } }
    }

    /// The providers that the value would be from, or that would have been asked, if they were not broken; none where all is well.
    public var brokenSources: [Reading] {
        guard source != .computed else { return [] }
        var found: [Reading] = []
        for reading in asked {
            if reading.problem != nil { found.append(reading) }
            if source == .provider(reading.provider) { break }
        }
        return found
    }

    /// Whether a provider's value is in force rather than the default.
    public var isOverridden: Bool {
        if case .provider = source { true } else { false }
    }

    /// The answers of the providers that a read asks, in order of precedence.
    package var asked: some Sequence<Reading> { readings.lazy.filter(\.isAsked) }

    /// Whether a read asks the provider named `provider`, as far as it is known here.
    package func asks(_ provider: String) -> Bool { !readings.contains { $0.provider == provider && !$0.isAsked } }

    /// The reading of the provider named `provider`.
    public subscript(provider: String) -> Answer? {
        readings.first { $0.provider == provider }?.answer
    }
}

extension FlagResolution {
    /// The first value in force of a provider that is asked wins, else the default.
    init(readings: [Reading], defaultValue: FlagValue?) {
        self.readings = readings
        for reading in readings where reading.isAsked {
            guard let value = reading.valueInForce else { continue }
            effectiveValue = value
            source = .provider(reading.provider)
            isStale = reading.problem != nil
            return
        }
        effectiveValue = defaultValue
        source = defaultValue == nil ? .none : .defaultValue
    }
}

extension FlagDefinition {
    /// Asks the providers in order; the first that holds a valid value wins, or held one before what is broken now, else the default.
    ///
    /// - Parameter providers: In order of precedence.
    /// - Returns: Every answer, the effective value and its source.
    public func resolve(in providers: [any FlagsProvider]) -> FlagResolution {
        resolve(in: providers, after: nil)
    }

    /// Asks the providers in order, once more: what a value came to is not worked out again where it is the same.
    ///
    /// - Parameters:
    ///   - providers: In order of precedence.
    ///   - previous: What this definition came to before; `nil` where that is not known.
    ///   - isAsked: Whether a read asks the provider of this place; what others hold is told, and counts for nothing.
    /// - Returns: Every answer, the effective value and its source.
    package func resolve(
        in providers: [any FlagsProvider], after previous: FlagResolution?, isAsked: (Int) -> Bool = { _ in true }
    ) -> FlagResolution {
        let readings = providers.enumerated().map { place, provider in
            let answer = answer(of: provider, previous?[provider.name])
            return FlagResolution.Reading(
                provider: provider.name, answer: answer, lastGood: lastGood(in: provider, answering: answer),
                isAsked: isAsked(place))
        }
        return FlagResolution(readings: readings, defaultValue: defaultValue)
    }

    /// What the flag comes to once one provider holds something else.
    ///
    /// - Parameters:
    ///   - resolution: What it comes to now.
    ///   - provider: The provider's name.
    ///   - stored: What it holds then; `nil` for nothing.
    /// - Returns: What the flag comes to then; the same where its value is computed.
    package func resolution(
        after resolution: FlagResolution, changing provider: String, to stored: FlagValue?
    ) -> FlagResolution {
        guard resolution.source != .computed else { return resolution }
        let readings = resolution.readings.map { reading in
            reading.provider == provider
                ? FlagResolution.Reading(provider: provider, answer: answer(to: stored), isAsked: reading.isAsked)
                : reading
        }
        return FlagResolution(readings: readings, defaultValue: defaultValue)
    }

    private func lastGood(in provider: any FlagsProvider, answering answer: FlagResolution.Answer) -> FlagValue? {
        guard case .broken = answer else { return nil }
        for value in provider.lastValues(at: key) {
            if case .value(let good, _) = self.answer(to: value) { return good }
        }
        return nil
    }

    private func answer(to stored: FlagValue?) -> FlagResolution.Answer {
        guard let stored else { return .absent }
        do {
            return .value(try interpret(stored, .stored), stored: stored)
        } catch {
            return .broken(error, stored: stored)
        }
    }

    private func answer(of provider: any FlagsProvider, _ previous: FlagResolution.Answer?) -> FlagResolution.Answer {
        do {
            let stored = try provider.storedValue(at: key)
            if let previous, let stored, previous.stored == stored { return previous }
            return answer(to: stored)
        } catch {
            return .broken(error, stored: nil)
        }
    }
}
