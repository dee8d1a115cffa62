import FeatureFlagsXML
import FlagChanges
import Foundation

/// What a form needs besides its change, by the rules of the environments.
struct ChangeDemand: Hashable {
    let reasonLabel: String
    let isReasonRequired: Bool
    let confirmation: Confirmation?

    /// The environment's name confirms a change: typed, or ticked on a touch screen.
    struct Confirmation: Hashable, PagePart {
        /// The ID of the field.
        let field: String
        let name: String
        let typed: String
        let isTicked: Bool
        let problem: String?
        let takesFocus: Bool
    }

    /// A `nil` provider means definitions.
    ///
    /// `sent` is what a form confirmed; with `refusal`, that wasn't enough, unless `isAsking` for the first time.
    init(
        _ environments: EnvironmentCheck?, changing providers: [String?], field: String = "confirm",
        sent: SentConfirmation = .none, refusal: ChangeError.Reason? = nil, isAsking: Bool = false
    ) {
        let names = Set(providers.compactMap { environments?.environment(of: $0).name }).sorted()
        let all = names.compactMap { environments?.environment(of: $0) }
        isReasonRequired = all.contains(where: \.rules.requiresReason)
        reasonLabel = isReasonRequired ? "Reason" : "Reason (optional)"
        let confirmed = all.filter(\.rules.confirmsChanges).map(\.name)
        confirmation =
            confirmed.isEmpty
            ? nil : Confirmation(field: field, of: confirmed, sent: sent, refusal: refusal, isAsking: isAsking)
    }
}

extension ChangeDemand.Confirmation {
    fileprivate init(
        field: String, of names: [String], sent: SentConfirmation, refusal: ChangeError.Reason?, isAsking: Bool
    ) {
        self.field = field
        name = names.joined(separator: ", ")
        typed = sent.typed
        isTicked = sent.ticked == name
        let isMissing = refusal?.isOfEnvironment == true && !isAsking
        problem = isMissing && !sent.environments.isSuperset(of: names) ? Self.problem(typed, insteadOf: name) : nil
        takesFocus = refusal == .confirmationRequired
    }

    private static func problem(_ typed: String, insteadOf name: String) -> String {
        typed.isEmpty
            ? "Confirm that you’re changing \(name)."
            : "Type \(name) exactly to confirm. Upper and lower case differ."
    }
}

extension ChangeError.Reason {
    /// The form lacks what an environment's rules require.
    var isOfEnvironment: Bool { self == .reasonRequired || self == .confirmationRequired }
}

struct SentConfirmation: Hashable, Sendable {
    static let none = SentConfirmation(FormFields([String: String]()))

    let typed: String
    let ticked: String

    init(_ fields: FormFields) {
        (typed, ticked) = (fields["confirm"] ?? "", fields["confirmed"] ?? "")
    }

    var environments: Set<String> { Self.environments(in: typed).union(Self.environments(in: ticked)) }

    /// Reads a name, or several with commas between.
    static func environments(in text: String) -> Set<String> {
        Set(([text] + text.split(separator: ",").map(String.init)).map { $0.trimmingCharacters(in: .whitespaces) })
            .subtracting([""])
    }
}
