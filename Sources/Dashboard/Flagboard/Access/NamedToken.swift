import FlagChanges
import FlagHistory
import Foundation

/// A token that was given to a person: everything but the token itself.
public struct NamedToken: Hashable, Sendable {
    /// The name, which the history keeps for the changes of the person who holds the token.
    public let name: String
    /// What the holder may do.
    public let role: ChangeAuthor.Role
    /// When it was made.
    public let created: Date
    /// From when on it is void; `nil` where it does not expire.
    public let expires: Date?
    let digest: SecretDigest

    /// Whether the token is void by its age.
    ///
    /// - Parameter time: The time that it is.
    /// - Returns: `true` from ``expires`` on.
    public func isExpired(at time: Date) -> Bool {
        expires.map { $0 <= time } ?? false
    }

    /// What is wrong with a name; `nil` where it can be one.
    static func problem(withName name: String) -> String? {
        if name.isEmpty { return "The name is empty: say whom the token is for." }
        if name.unicodeScalars.count > longestName {
            return "The name has \(name.unicodeScalars.count) characters; at most \(longestName) are kept."
        }
        if name.unicodeScalars.contains(where: isUnseen) {
            return "The name holds a character that can’t be seen, such as a line end: leave it out."
        }
        if name.unicodeScalars.first?.properties.isWhitespace == true
            || name.unicodeScalars.last?.properties.isWhitespace == true
        {
            return "The name begins or ends with a space: leave it out."
        }
        return nil
    }

    /// How long a name may be, in Unicode scalars.
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

    /// Reads a token of the file.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func fault(_ key: CodingKeys, _ problem: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: fields, debugDescription: problem)
        }
        name = try fields.decode(String.self, forKey: .name)
        if let problem = Self.problem(withName: name) { throw fault(.name, problem) }
        let role = try fields.decode(String.self, forKey: .role)
        guard let known = ChangeAuthor.Role(rawValue: role) else {
            throw fault(.role, "the role is \(role); it must be viewer, editor or admin")
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

    /// Writes a token of the file.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(role.rawValue, forKey: .role)
        try fields.encode(created, forKey: .created)
        try fields.encodeIfPresent(expires, forKey: .expires)
        try fields.encode(digest.bytes.hexadecimal, forKey: .sha256)
    }
}
