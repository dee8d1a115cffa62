import FlagChanges
import FlagHistory
import Foundation

/// A person's token, without its secret.
package struct NamedToken: Hashable, Sendable {
    /// The name that the history records for the holder's changes.
    package let name: String
    package let role: ChangeAuthor.Role
    package let created: Date
    /// `nil` if it does not expire.
    package let expires: Date?
    let digest: SecretDigest

    package func isExpired(at time: Date) -> Bool {
        expires.map { $0 <= time } ?? false
    }

    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "Enter the name of the person or program that the token is for." }
        if name.unicodeScalars.count > longestName {
            return "The name has \(name.unicodeScalars.count) characters. The limit is \(longestName)."
        }
        if name.unicodeScalars.contains(where: isUnseen) {
            return "The name contains an invisible character, such as a line break. Remove it."
        }
        if name.unicodeScalars.first?.properties.isWhitespace == true
            || name.unicodeScalars.last?.properties.isWhitespace == true
        {
            return "The name starts or ends with a space. Remove it."
        }
        return nil
    }

    /// In Unicode scalars.
    static let longestName = 100

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}

extension NamedToken: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, role, created, expires, sha256
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func fault(_ key: CodingKeys, _ problem: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: fields, debugDescription: problem)
        }
        name = try fields.decode(String.self, forKey: .name)
        if let problem = Self.problem(withName: name) { throw fault(.name, problem) }
        let role = try fields.decode(String.self, forKey: .role)
        guard let known = ChangeAuthor.Role(rawValue: role) else {
            throw fault(.role, "unknown role \(role); use viewer, editor or admin")
        }
        self.role = known
        created = try fields.decode(Date.self, forKey: .created)
        expires = try fields.decodeIfPresent(Date.self, forKey: .expires)
        let sha256 = try fields.decode(String.self, forKey: .sha256)
        guard let digest = Data(hexadecimal: sha256).flatMap(SecretDigest.init(bytes:)) else {
            throw fault(.sha256, "sha256 must be 64 hexadecimal digits")
        }
        self.digest = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(role.rawValue, forKey: .role)
        try fields.encode(created, forKey: .created)
        try fields.encodeIfPresent(expires, forKey: .expires)
        try fields.encode(digest.bytes.hexadecimal, forKey: .sha256)
    }
}

package enum TokenExpiry {
    /// Parses a number of days, `30d`, or the last valid day in UTC, `2030-01-31`.
    ///
    /// Returns the time from which the token is void; `nil` for any other text, and for a time that is past.
    package static func time(_ text: String, at now: Date) -> Date? {
        let time = days(text).map { now.addingTimeInterval(Double($0) * day) } ?? endOfDay(text)
        return time.flatMap { $0 > now ? $0 : nil }
    }

    package static let advice =
        "enter a number of days, such as 30d, or a date, such as 2030-01-31, that isn't in the past"

    private static let day: TimeInterval = 86_400

    private static func days(_ text: String) -> Int? {
        guard text.utf8.last == UInt8(ascii: "d"), text.utf8.count <= 6 else { return nil }
        let digits = text.dropLast()
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static func endOfDay(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        guard text.utf8.count == 10 else { return nil }
        switch Result(catching: { try style.parse(text) }) {
        // The parser accepts days that don't exist, and returns other ones.
        case .success(let start) where start.formatted(style) == text: return start.addingTimeInterval(day)
        default: return nil
        }
    }
}

enum AccessSecret {
    /// The prefix of every named token, for secret scanners.
    static let tokenPrefix = "flagboard_"

    /// 256 random bits in base64url (RFC 4648, section 5) without padding: 43 characters.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func token() -> String { tokenPrefix + random() }
}
