import FeatureFlags
import Foundation

/// A flag's value as plain JSON: a date is ISO 8601 text, data is base64 text, and a number that JSON has no form for is
/// its name.
struct PlainValue: Encodable {
    let value: FlagValue

    init(_ value: FlagValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .bool(let value): try container.encode(value)
        case .integer(let number):
            if let number = Int64(exactly: number) { return try container.encode(number) }
            if let number = UInt64(exactly: number) { return try container.encode(number) }
            try container.encode(String(number))
        case .double(let number):
            if number.isFinite { return try container.encode(number) }
            try container.encode(FlagNumber.text(number))
        case .string(let text): try container.encode(text)
        case .date(let date): try container.encode(FlagDate.text(date))
        case .data(let data): try container.encode(data.base64EncodedString())
        case .array(let values): try container.encode(values.map(PlainValue.init))
        case .dictionary(let entries): try container.encode(entries.mapValues(PlainValue.init))
        }
    }
}
