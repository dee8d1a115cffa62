import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FormFields {
    /// - Throws: ``RequestError`` (415) if it is no form, ``UnreadableFormError``, or an error for a too large body
    ///   (413).
    init(_ request: Request, upTo maximumBytes: Int) async throws {
        try self.init(bytes: try await Self.bytes(of: request, upTo: maximumBytes))
    }

    /// - Throws: ``RequestError`` (415) if it is no form, or an error for a too large body (413).
    static func bytes(of request: Request, upTo maximumBytes: Int) async throws -> ByteBufferView {
        guard isForm(request.headers) else { throw RequestError.notAForm }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes {
            throw HTTPError(.contentTooLarge)
        }
        return try await request.body.collect(upTo: maximumBytes).readableBytesView
    }

    private static func isForm(_ headers: HTTPFields) -> Bool {
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard parts[0] == "application/x-www-form-urlencoded" else { return false }
        return parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }
}

struct ChoiceForm: Hashable, Sendable {
    static let most = 10_000

    let fields: FormFields
    let keys: [FlagKeyPath]

    private static let maximumBytes = 4 * 1024 * 1024
    private static let name = "key"

    init(_ fields: FormFields, keys: [FlagKeyPath]) { (self.fields, self.keys) = (fields, keys) }

    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: Self.maximumBytes)
        let (keys, fields) = try FormFields.separating(Self.name, in: body, upTo: Self.most)
        self.init(
            fields,
            keys: try keys.map { text in
                guard let key = FlagKeyPath(text: text) else { throw UnreadableFormError.malformed }
                return key
            })
    }
}

/// A refused form whose own page can't be shown, so that another must show the typed values.
struct RefusedForm: Error {
    let cause: any Error
    /// `nil` for a flag that is not defined yet.
    let key: FlagKeyPath?
    let typed: [TypedValue]
}

struct TypedValue: Hashable, PagePart {
    let label: String
    let text: String
    let id: String

    static func all(value: String?, reason: String) -> [TypedValue] {
        var values: [TypedValue] = []
        if let value { values.append(TypedValue(label: "Value", text: value, id: "typed-value")) }
        if !reason.isEmpty { values.append(TypedValue(label: "Reason", text: reason, id: "typed-reason")) }
        return values
    }
}

struct PickedTime: Hashable, Sendable {
    /// The value of a browser's `datetime-local` field.
    let local: String
    /// The IANA name.
    let zone: String
    /// The date as a flag's text; `nil` if the time does not exist.
    let text: String?

    /// Reads the fields `picked` and `zone` (default UTC); fails if nothing was picked.
    init?(_ fields: FormFields) {
        guard let picked = fields["picked"], !picked.isEmpty else { return nil }
        self.init(picked, in: fields["zone"].flatMap { $0.isEmpty ? nil : $0 } ?? "UTC")
    }

    init(_ local: String, in zone: String) {
        (self.local, self.zone) = (local, zone)
        text = Self.text(local, zone)
    }

    private static func text(_ local: String, _ zone: String) -> String? {
        date(local, zone).flatMap { FlagDate.wholeSecondText($0) == nil ? nil : FlagDate.text($0) }
    }

    /// The reason why the time does not exist.
    var problem: String {
        let shown = local.replacing("T", with: " ", maxReplacements: 1)
        guard Self.date(local, "UTC") != nil else { return "“\(shown)” is not a valid date and time." }
        guard TimeZone(identifier: zone) != nil else { return "Unknown time zone “\(zone)”." }
        guard Self.date(local, zone) == nil else {
            return "\(shown) in \(zone) is outside the years 1 to 9999 in UTC."
        }
        return "\(shown) doesn’t exist in \(zone), because clocks go forward at that time."
    }

    /// The first moment at which the zone's clocks show the time.
    ///
    /// - Returns: `nil` for an unknown zone, or a time that its clocks skip.
    private static func date(_ picked: String, _ zone: String) -> Date? {
        let local = picked.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d/) == nil ? picked : "\(picked):00"
        guard let asUTC = FlagDate.parse("\(local)Z") else { return nil }
        if zone == "UTC" { return asUTC }
        guard let zone = TimeZone(identifier: zone) else { return nil }
        // The offsets a day before and after cover any transition.
        let offsets = [-86_400.0, 86_400].map { zone.secondsFromGMT(for: asUTC.addingTimeInterval($0)) }
        let dates = offsets.map { asUTC.addingTimeInterval(-Double($0)) }
        return dates.filter { $0.addingTimeInterval(Double(zone.secondsFromGMT(for: $0))) == asUTC }.min()
    }
}
