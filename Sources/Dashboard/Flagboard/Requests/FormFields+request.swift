import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FormFields {
    /// Reads the fields of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Throws: ``RequestError`` (415) where it says to be no form, ``FormFieldsError``, or what says that the body is too
    ///   large (413).
    init(_ request: Request, upTo maximumBytes: Int) async throws {
        try self.init(bytes: try await Self.bytes(of: request, upTo: maximumBytes))
    }

    /// The body of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Returns: Its bytes.
    /// - Throws: ``RequestError`` (415) where it says to be no form, or what says that the body is too large (413).
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

/// A form in which one field may be there many times, as checkboxes of one name are.
struct ChoiceForm: Hashable, Sendable {
    /// How many flags one form may name.
    static let most = 10_000

    /// Every other field.
    let fields: FormFields
    /// The flags that were chosen, in the order of the form.
    let keys: [FlagKeyPath]

    /// How large such a form may be, in bytes.
    private static let maximumBytes = 4 * 1024 * 1024
    /// The name of the field that holds a flag's key path.
    private static let name = "key"

    /// Reads a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: Self.maximumBytes)
        let (keys, fields) = try FormFields.separating(Self.name, in: body, upTo: Self.most)
        self.fields = fields
        self.keys = try keys.map { text in
            guard let key = FlagKeyPath(text: text) else { throw FormFieldsError.malformed }
            return key
        }
    }
}

/// A form that was refused where its own page can't be shown, so that what was typed must stand on another.
struct RefusedForm: Error {
    /// Why.
    let cause: any Error
    /// The flag that it is about; `nil` for one that is yet to be defined.
    let key: FlagKeyPath?
    let typed: [TypedValue]
}

/// A text that a person typed, beside what it is.
struct TypedValue: Hashable, PagePart {
    let label: String
    let text: String
    /// What ties the text to its label.
    let id: String

    /// What a form held, as far as it held anything.
    static func all(value: String?, reason: String) -> [TypedValue] {
        var values: [TypedValue] = []
        if let value { values.append(TypedValue(label: "Value", text: value, id: "typed-value")) }
        if !reason.isEmpty { values.append(TypedValue(label: "Reason", text: reason, id: "typed-reason")) }
        return values
    }
}

/// A day and time that was picked rather than typed, and the time zone that it is of.
struct PickedTime: Hashable, Sendable {
    /// The day and time as a browser's `datetime-local` sends it.
    let local: String
    /// The name of the time zone in the time zone database.
    let zone: String
    /// The date as text that a flag takes; `nil` where there is no such time.
    let text: String?

    /// Reads what was picked; fails where nothing was.
    ///
    /// The field `picked` is the day and time, `zone` the time zone; UTC where that is missing.
    init?(_ fields: FormFields) {
        guard let picked = fields["picked"], !picked.isEmpty else { return nil }
        self.init(picked, in: fields["zone"].flatMap { $0.isEmpty ? nil : $0 } ?? "UTC")
    }

    /// Takes a day and time.
    init(_ local: String, in zone: String) {
        (self.local, self.zone) = (local, zone)
        text = Self.text(local, zone)
    }

    private static func text(_ local: String, _ zone: String) -> String? {
        date(local, zone).flatMap { FlagDate.wholeSecondText($0) == nil ? nil : FlagDate.text($0) }
    }

    /// Why there is no such time, in a sentence.
    var problem: String {
        let shown = local.replacing("T", with: " ", maxReplacements: 1)
        guard Self.date(local, "UTC") != nil else { return "“\(shown)” is no day and time." }
        guard TimeZone(identifier: zone) != nil else { return "There is no time zone “\(zone)”." }
        guard Self.date(local, zone) == nil else {
            return "\(shown) in \(zone) lies outside of the years 1 to 9999 in UTC."
        }
        return "There is no \(shown) in \(zone): its clocks leap over that time."
    }

    /// The moment at which the clocks of a zone show a time; the first one where they show it twice.
    ///
    /// - Returns: `nil` where there is no such zone, or its clocks leap over the time.
    private static func date(_ picked: String, _ zone: String) -> Date? {
        let local = picked.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d/) == nil ? picked : "\(picked):00"
        guard let asUTC = FlagDate.parse("\(local)Z") else { return nil }
        if zone == "UTC" { return asUTC }
        guard let zone = TimeZone(identifier: zone) else { return nil }
        // What the zone's offset is a day before and after covers every change of it.
        let offsets = [-86_400.0, 86_400].map { zone.secondsFromGMT(for: asUTC.addingTimeInterval($0)) }
        let dates = offsets.map { asUTC.addingTimeInterval(-Double($0)) }
        return dates.filter { $0.addingTimeInterval(Double(zone.secondsFromGMT(for: $0))) == asUTC }.min()
    }
}
