/// The values of a collection's flags at one moment, by the names of its properties.
///
/// ```swift
/// var snapshot = flags.snapshot()
/// snapshot.quickCheckout = true
/// snapshot.delivery.fee = 3.5
/// print(snapshot.differences(from: flags.snapshot()))  // [quick_checkout, delivery/fee]
/// try snapshot.save(to: local)
/// ```
///
/// A snapshot is a value: a change affects no copy and, until you save it, no provider. A flag without a value in the
/// snapshot reads as its default. If a property has the name of a member of this type, read it as
/// `snapshot[dynamicMember: \.save]`.
@dynamicMemberLookup
public struct CollectionSnapshot<Collection: FlagCollectionProtocol>: Sendable {
    let declaration: Collection
    /// Includes the values of flags outside the group that a snapshot is a part of.
    private(set) var held: HeldValues
    private let knownFlags: [any AnyFlag]?

    /// Creates a snapshot, which finds its flags when needed, unless they are given.
    init(_ declaration: Collection, _ held: HeldValues, flags: [any AnyFlag]? = nil) {
        self.declaration = declaration
        self.held = held
        knownFlags = flags
    }

    /// Creates a snapshot with a value of each flag, or `nil` for none.
    init(_ declaration: Collection, value: (any AnyFlag) -> (any FlagProtocol)?) {
        var held = HeldValues()
        let flags = declaration.memberFlags
        for flag in flags { held[flag.identity] = HeldValues.Entry(value: value(flag)) }
        self.init(declaration, held, flags: flags)
    }

    var memberFlags: [any AnyFlag] { knownFlags ?? declaration.memberFlags }

    /// The value of a flag, or of a property that is computed from flags.
    ///
    /// Any value can be set. One that can't be stored is refused when the snapshot is saved, or at once by
    /// ``set(_:to:)``.
    ///
    /// - Precondition: A property that is set is a flag.
    public subscript<Value: FlagProtocol>(dynamicMember member: KeyPath<Collection, Value>) -> Value {
        get { FlagOverrides.reading(held) { declaration[keyPath: member] } }
        set {
            do throws(FlagError) {
                try hold(newValue, at: member)
            } catch {
                fatalError(error.description)
            }
        }
    }

    /// The values of a group.
    ///
    /// A group's snapshot can be replaced with that of another group of the same type.
    public subscript<Group: FlagCollectionProtocol>(
        dynamicMember member: KeyPath<Collection, Group>
    ) -> CollectionSnapshot<Group> {
        get { CollectionSnapshot<Group>(declaration[keyPath: member], held) }
        set {
            let flags = zip(declaration[keyPath: member].memberFlags, newValue.memberFlags)
            for (flag, other) in flags { held[flag.identity] = newValue.held[other.identity] }
        }
    }

    /// Sets or removes the value of a flag, if the flag could have it.
    ///
    /// ```swift
    /// var snapshot = flags.snapshot()
    /// try snapshot.set(\.delivery.fee, to: 3.5)
    /// ```
    ///
    /// - Parameters:
    ///   - member: The flag's property.
    ///   - value: The new value; `nil` removes the held one.
    /// - Throws: An error if the property is not a flag (``FlagError/isNoFlag``), or the value can't be stored or
    ///   violates a constraint of the flag's type (``FlagValueError``). Nothing changes then.
    public mutating func set<Value: FlagProtocol>(_ member: KeyPath<Collection, Value>, to value: Value?) throws {
        let flag = try flag(at: member)
        if let value { _ = try flag.checkedStoredForm(of: value) }
        try hold(value, at: member)
    }

    /// Returns the differences between two snapshots.
    ///
    /// - Parameter other: The snapshot to compare with.
    /// - Returns: The key paths of the flags with different values, in the order of declaration.
    public func differences(from other: CollectionSnapshot) -> [FlagKeyPath] {
        zip(memberFlags, other.memberFlags).compactMap { mine, theirs in
            switch (value(of: mine), other.value(of: theirs)) {
            case (let value?, let otherValue?): value.isSame(as: otherValue) ? nil : mine.keyPath
            case (nil, nil): nil
            default: mine.keyPath
            }
        }
    }

    /// The key paths of the flags that have a value in the snapshot, in the order of declaration.
    public var keyPaths: [FlagKeyPath] {
        memberFlags.compactMap { value(of: $0) == nil ? nil : $0.keyPath }
    }

    func value(of flag: any AnyFlag) -> (any FlagProtocol)? { held[flag.identity]?.value }

    fileprivate mutating func hold<Value: FlagProtocol>(
        _ value: Value?, at member: KeyPath<Collection, Value>
    ) throws(FlagError) {
        let flag = try flag(at: member)
        let former = held
        held[flag.identity] = HeldValues.Entry(value: value)
        guard let value else { return }
        // A property that is computed from one flag passes for the flag as long as it reads as the value.
        let isFlag = held.flags { _ = declaration[keyPath: member] }.map(\.identity) == [flag.identity]
        if isFlag, self[dynamicMember: member].equality(with: value) != false { return }
        held = former
        throw FlagError(.noFlag(collection: "\(Collection.self)", read: [flag.keyPath]))
    }

    fileprivate func flag<Value: FlagProtocol>(at member: KeyPath<Collection, Value>) throws(FlagError) -> any AnyFlag {
        let flags = held.flags { _ = declaration[keyPath: member] }
        guard flags.count == 1, flags[0] is Flag<Value> else {
            throw FlagError(.noFlag(collection: "\(Collection.self)", read: flags.map(\.keyPath).sorted()))
        }
        return flags[0]
    }
}

extension FlagOverride {
    /// Creates an override of a property's flag in every loader of the collection, alone or as a group of another.
    ///
    /// - Throws: An error if the property is not a flag (``FlagError/isNoFlag``).
    package init<Collection: FlagCollectionProtocol, Value: FlagProtocol>(
        _ member: KeyPath<Collection, Value>, _ value: Value
    ) throws(FlagError) {
        var snapshot = CollectionSnapshot(Collection()) { _ in nil }
        try snapshot.hold(value, at: member)
        let flag = try snapshot.flag(at: member)
        guard let names = snapshot.declaration.names(to: flag.identity) else {
            throw FlagError(.noFlag(collection: "\(Collection.self)", read: [flag.keyPath]))
        }
        self.init(FlagProperty(collection: ObjectIdentifier(Collection.self), names: names), value)
    }
}

extension CollectionSnapshot: Equatable {
    /// Compares the values of the flags, which may have been read by different loaders.
    public static func == (left: CollectionSnapshot, right: CollectionSnapshot) -> Bool {
        left.differences(from: right).isEmpty
    }
}

extension CollectionSnapshot: CustomDebugStringConvertible {
    /// The collection's type, and each flag's key path and value.
    public var debugDescription: String {
        let flags = memberFlags.compactMap { flag in
            value(of: flag).map { "\(flag.keyPath.text)=\($0.shownText)" }
        }
        return "CollectionSnapshot<\(Collection.self)>(\(flags.joined(separator: "; ")))"
    }
}

extension AnyFlag {
    /// Returns the stored form of a value of the flag; `nil` for an optional's `nil`.
    ///
    /// - Throws: An error if the value has none, can't be read back, or violates a constraint of the flag.
    func checkedStoredForm<Value: FlagProtocol>(of value: Value) throws(FlagValueError) -> FlagValue? {
        if let problem = value.storageProblem { throw FlagValueError("can't store \(keyPath.text): \(problem)") }
        do {
            guard let stored = try Value.storedForm(of: value) else { return nil }
            _ = try Value.decode(stored)
            if Value.flagType != nil { _ = try definition.interpret(stored) }
            return stored
        } catch {
            throw FlagValueError("\(keyPath.text) can't be \(value.shownText): \(error)")
        }
    }
}
