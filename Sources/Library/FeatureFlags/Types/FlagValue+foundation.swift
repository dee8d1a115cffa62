import Foundation

extension FlagValue {
    package static func entries(foundation dictionary: [String: Any]) throws(FlagValueError) -> [String: FlagValue] {
        try entries(dictionary, at: [])
    }

    /// Converts a Foundation or Swift value; throws the place of the first part of another type.
    ///
    /// On Linux, `UserDefaults` returns nested values as optionals.
    init(foundation object: Any) throws(FlagValueError) {
        try self.init(object, at: [])
    }

    private init(_ object: Any, at path: [String]) throws(FlagValueError) {
        switch object {
        case let value as FlagValue: self = value
        // The type is checked first, as a native `Bool` or number also bridges.
        case let number as NSNumber where type(of: object) is NSNumber.Type: self.init(number)
        case let value as Bool: self = .bool(value)
        case let number as any BinaryInteger:
            guard let integer = Int128(exactly: number), Self.integerRange.contains(integer) else {
                throw Self.problem("the integer \(number) is out of range", at: path)
            }
            self = .integer(integer)
        case let number as Double: self = .double(number)
        case let number as Float: self = .double(Double(number))
        case let number as CGFloat: self = .double(Double(number))
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let values as [Any]:
            var array: [FlagValue] = []
            for (index, value) in values.enumerated() {
                array.append(try FlagValue(value, at: path + [String(index)]))
            }
            self = .array(array)
        case let dictionary as [AnyHashable: Any]:
            self = .dictionary(try Self.entries(dictionary, at: path))
        case let value as any FlagProtocol:
            do throws(FlagValueError) {
                self = try value.encoded()
            } catch {
                throw Self.problem(error.description, at: path)
            }
        default: throw Self.problem("\(Self.kind(of: object)) can't be the value of a flag", at: path)
        }
    }

    /// Foundation's class of UIDs is private, and has another name on each system.
    private static func kind(of object: Any) -> String {
        "\(object)".contains("KeyedArchiverUID")
            ? "a UID, which refers to a part of a keyed archive," : "a value of the type \(type(of: object))"
    }

    /// Foundation marks a Boolean by the Objective-C type `c`, and floating-point numbers by `f` and `d`.
    private init(_ number: NSNumber) {
        switch (String(cString: number.objCType), Int128(number.stringValue)) {
        case ("c", _): self = .bool(number.boolValue)
        case ("f", _), ("d", _), (_, nil): self = .double(number.doubleValue)
        case (_, let integer?): self = .integer(integer)
        }
    }

    private static func entries(_ dictionary: [AnyHashable: Any], at path: [String]) throws(FlagValueError)
        -> [String: FlagValue]
    {
        var entries: [String: FlagValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.base as? String else {
                throw problem("the dictionary key \(key) is not a string", at: path)
            }
            entries[name] = try FlagValue(value, at: path + [name])
        }
        return entries
    }

    private static func problem(_ text: String, at path: [String]) -> FlagValueError {
        FlagValueError(path.isEmpty ? text : "\(text), at \(FlagKeyPath(components: path).text)")
    }

    /// The value for a Foundation property list.
    ///
    /// Throws for what an XML property list can't hold: an integer outside ``integerRange``, a date with a year of more
    /// than six digits, text with a control character, and a broken value.
    package var foundationObject: Any {
        get throws(FlagValueError) {
            switch self {
            case .bool(let value): return value
            case .integer(let value):
                if let value = Int64(exactly: value) { return NSNumber(value: value) }
                if let value = UInt64(exactly: value) { return NSNumber(value: value) }
                throw FlagValueError("the integer \(value) is out of range; a property list can't store it")
            case .double(let value): return value
            case .string(let text):
                try Self.checkStorable(text)
                return text
            case .date(let date):
                guard FlagDate.propertyListText(date) != nil else {
                    throw FlagValueError("the \(briefDescription) is outside the years \(FlagDate.years)")
                }
                return date
            case .data(let data): return data
            case .array(let values):
                var objects: [Any] = []
                for value in values { objects.append(try value.foundationObject) }
                return objects
            case .dictionary(let entries):
                var objects: [String: Any] = [:]
                for (key, value) in entries {
                    try Self.checkStorable(key)
                    objects[key] = try value.foundationObject
                }
                return objects
            case .broken(let value): throw FlagValueError(value.problem)
            }
        }
    }

    /// Refuses text that Foundation can't store.
    ///
    /// XML 1.0 lacks some characters, with which Foundation would write a file that nothing else reads. A leading byte
    /// order mark would be dropped.
    static func checkStorable(_ text: String) throws(FlagValueError) {
        let isStorable = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20..<0xFFFE, 0x1_0000...: true
            default: false
            }
        }
        let mark = text.unicodeScalars.first.flatMap { $0 == "\u{FEFF}" ? $0 : nil }
        guard let refused = mark ?? text.unicodeScalars.first(where: { !isStorable($0) }) else { return }
        let code = String(refused.value, radix: 16, uppercase: true)
        throw FlagValueError("the text contains U+\(code), a character that Foundation can't store in a property list")
    }
}
