/// The result of a read and its reasons: every provider's answer in order, and the source that won.
///
/// ```swift
/// let resolution = flags.$paymentRetries.explain().resolution
/// print(resolution.effectiveValue ?? "none", resolution.isOverridden)
/// ```
public struct FlagResolution: Hashable, Sendable {
    /// The answer of one provider.
    ///
    /// ```swift
    /// for reading in flags.$paymentRetries.explain().resolution.readings {
    ///     print(reading.provider, reading.answer.stored ?? "holds none")
    /// }
    /// ```
    public struct Reading: Hashable, Sendable {
        /// The provider's name.
        public let provider: String
        /// The provider's answer.
        public let answer: Answer
        /// The last good value if the answer is broken; `nil` if none preceded it.
        public let lastGood: FlagValue?
        /// `false` for a provider of another environment's values, which a read ignores.
        public let isAsked: Bool
        let isOverride: Bool

        init(
            provider: String, answer: Answer, lastGood: FlagValue? = nil, isAsked: Bool = true, isOverride: Bool
        ) {
            self.provider = provider
            self.answer = answer
            self.lastGood = lastGood
            self.isAsked = isAsked
            self.isOverride = isOverride
        }

        /// The reason why the value can't be used; `nil` if it can be used, or if there is no value.
        public var problem: FlagValueError? {
            if case .broken(let problem, _) = answer { problem } else { nil }
        }

        /// The value, or the last good value of a broken answer; `nil` if the next provider is asked.
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
        /// No value: the next provider is asked.
        case absent
        /// A value of the flag's type.
        case value(FlagValue, stored: FlagValue)
        /// A value that is not of the flag's type or can't be read.
        ///
        /// The last good value (``Reading/lastGood``) is used; if there is none, the next provider is asked.
        case broken(FlagValueError, stored: FlagValue?)

        /// The stored value, even of another type; `nil` if there is none or it can't be read.
        public var stored: FlagValue? {
            switch self {
            case .absent: nil
            case .value(_, let stored): stored
            case .broken(_, let stored): stored
            }
        }
    }

    /// The source of the effective value.
    ///
    /// ```swift
    /// if case .provider(let name) = flags.$paymentRetries.explain().resolution.source {
    ///     print("the value is from \(name)")
    /// }
    /// ```
    public enum Source: Hashable, Sendable {
        /// The provider of this name.
        case provider(String)
        /// The declaration's computed value, which comes before all providers; outside the app, the value is unknown.
        case computed
        /// The definition's default.
        case defaultValue
        /// No source: no provider holds a value and there is no default.
        case none
    }

    /// Every provider's answer, in order of precedence, including providers that a read doesn't ask.
    public let readings: [Reading]
    /// The value that a read returns; `nil` if ``source`` is ``Source/none``, or if only the app knows the value.
    public let effectiveValue: FlagValue?
    /// The source of ``effectiveValue``.
    public let source: Source
    /// `true` if ``effectiveValue`` is the last good value of ``source``, which is broken now.
    public private(set) var isStale = false
    /// `true` if ``effectiveValue`` is an override (``FlagsProvider/isOverride(at:)``), which a reset removes.
    public private(set) var isOverridden = false

    /// `true` if any answer that a read asks for is broken.
    public var isBroken: Bool {
        asked.contains { if case .broken = $0.answer { true } else { false } }
    }

    /// The broken readings up to and including the source's.
    public var brokenSources: [Reading] {
        guard source != .computed else { return [] }
        var found: [Reading] = []
        for reading in asked {
            if reading.problem != nil { found.append(reading) }
            if source == .provider(reading.provider) { break }
        }
        return found
    }

    /// `true` if the value comes from a provider, as an override or not.
    package var isFromProvider: Bool {
        if case .provider = source { true } else { false }
    }

    /// The answers that a read asks for, in order of precedence.
    package var asked: some Sequence<Reading> { readings.lazy.filter(\.isAsked) }

    /// `true` also for an unknown provider.
    package func asks(_ provider: String) -> Bool { !readings.contains { $0.provider == provider && !$0.isAsked } }

    /// The answer of the provider with a name.
    public subscript(provider: String) -> Answer? {
        readings.first { $0.provider == provider }?.answer
    }
}

extension FlagResolution {
    /// Takes the first usable value of a provider that is asked, else the default.
    ///
    /// What only the app computes is unknown.
    init(readings: [Reading], defaultValue: FlagValue?, computed: FlagComputation? = nil) {
        self.readings = readings
        guard computed != .value else {
            (effectiveValue, source) = (nil, .computed)
            return
        }
        for reading in readings where reading.isAsked {
            guard let value = reading.valueInForce else { continue }
            effectiveValue = value
            source = .provider(reading.provider)
            isStale = reading.problem != nil
            isOverridden = reading.isOverride
            return
        }
        effectiveValue = computed == .default ? nil : defaultValue
        source = computed != .default && defaultValue == nil ? .none : .defaultValue
    }
}

extension FlagDefinition {
    /// Resolves the value: the first provider with a valid or a last good value wins, and without any the default.
    ///
    /// - Parameter providers: The providers, in order of precedence.
    /// - Returns: Every answer, the effective value and its source.
    public func resolve(in providers: [any FlagsProvider]) -> FlagResolution {
        resolve(in: providers, after: nil)
    }

    /// Resolves the value again, reusing previous answers to unchanged values.
    ///
    /// The readings include providers that are not asked.
    package func resolve(
        in providers: [any FlagsProvider], after previous: FlagResolution?, isAsked: (Int) -> Bool = { _ in true }
    ) -> FlagResolution {
        let readings = providers.enumerated().map { place, provider in
            let isExcluded = excludedProviders.contains(provider.name)
            let answer = isExcluded ? .absent : answer(of: provider, previous?[provider.name])
            return FlagResolution.Reading(
                provider: provider.name, answer: answer, lastGood: lastGood(in: provider, answering: answer),
                isAsked: isAsked(place), isOverride: !isExcluded && provider.isOverride(at: key))
        }
        return FlagResolution(readings: readings, defaultValue: defaultValue, computed: computed)
    }

    /// Returns the resolution after a change of one provider's value, `nil` for removal.
    ///
    /// The resolution of a value that the app has computed is unchanged.
    package func resolution(
        after resolution: FlagResolution, changing provider: String, to stored: FlagValue?
    ) -> FlagResolution {
        guard resolution.source != .computed || resolution.effectiveValue == nil else { return resolution }
        let readings = resolution.readings.map { reading in
            reading.provider == provider
                ? FlagResolution.Reading(
                    provider: provider, answer: answer(to: stored), isAsked: reading.isAsked,
                    isOverride: reading.isOverride)
                : reading
        }
        return FlagResolution(readings: readings, defaultValue: defaultValue, computed: computed)
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
