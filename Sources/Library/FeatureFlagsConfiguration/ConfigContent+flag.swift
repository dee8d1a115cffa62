#if Configuration
    import Configuration
    import FeatureFlags
    import Foundation

    extension ConfigContent {
        /// Converts a flag's value to swift-configuration's content.
        ///
        /// An integer is also a double. Dates (as ISO 8601), arrays, dictionaries and JSON are also strings. `flagType`
        /// is `nil` without a definition.
        init(_ value: FlagValue, of flagType: FlagType?, as type: ConfigType) throws(FlagValueError) {
            let content: ConfigContent? =
                switch type {
                case .string: Self.text(value, flagType).map(Self.string)
                case .int: Self.int(value).map(Self.int)
                case .double: Self.double(value).map(Self.double)
                case .bool: Self.bool(value).map(Self.bool)
                case .bytes: Self.bytes(value).map(Self.bytes)
                case .stringArray: Self.items(of: value) { Self.text($0, nil) }.map(Self.stringArray)
                case .intArray: Self.items(of: value, Self.int).map(Self.intArray)
                case .doubleArray: Self.items(of: value, Self.double).map(Self.doubleArray)
                case .boolArray: Self.items(of: value, Self.bool).map(Self.boolArray)
                case .byteChunkArray: Self.items(of: value, Self.bytes).map(Self.byteChunkArray)
                }
            guard let content else {
                throw FlagValueError("the value is \(value.briefDescription), expected \(type.rawValue)")
            }
            self = content
        }

        /// The content as a stored value.
        var flagValue: FlagValue {
            switch self {
            case .string(let text): .string(text)
            case .int(let number): .integer(Int128(number))
            case .double(let number): .double(number)
            case .bool(let isOn): .bool(isOn)
            case .bytes(let bytes): .data(Data(bytes))
            case .stringArray(let items): .array(items.map(FlagValue.string))
            case .intArray(let items): .array(items.map { .integer(Int128($0)) })
            case .doubleArray(let items): .array(items.map(FlagValue.double))
            case .boolArray(let items): .array(items.map(FlagValue.bool))
            case .byteChunkArray(let items): .array(items.map { .data(Data($0)) })
            }
        }

        private static func text(_ value: FlagValue, _ type: FlagType?) -> String? {
            guard value.brokenPart == nil else { return nil }
            if type?.rules.form == .document { return FlagJSON.line(FlagJSON.json(value, of: type)) }
            return switch value {
            case .string(let text): text
            case .date(let date): FlagDate.text(date)
            case .array, .dictionary: FlagJSON.line(value)
            case .bool, .integer, .double, .data, .broken: nil
            }
        }

        private static func int(_ value: FlagValue) -> Int? {
            if case .integer(let number) = value { Int(exactly: number) } else { nil }
        }

        private static func double(_ value: FlagValue) -> Double? {
            switch value {
            case .double(let number): number
            case .integer(let number): Double(number)
            default: nil
            }
        }

        private static func bool(_ value: FlagValue) -> Bool? {
            if case .bool(let isOn) = value { isOn } else { nil }
        }

        private static func bytes(_ value: FlagValue) -> [UInt8]? {
            if case .data(let data) = value { Array(data) } else { nil }
        }

        /// `nil` unless every item of the array can be converted.
        private static func items<Item>(of value: FlagValue, _ item: (FlagValue) -> Item?) -> [Item]? {
            guard case .array(let values) = value else { return nil }
            let items = values.compactMap(item)
            return items.count == values.count ? items : nil
        }
    }
#endif
