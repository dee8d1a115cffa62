import FeatureFlags
import FlagChanges
import Foundation

/// A way to narrow the list of flags.
///
/// Pages, addresses, the API and its description take it from ``all``; the command has an option of its name.
package struct FlagCriterion: Hashable, Sendable {
    /// The values that an address may name.
    enum Values: Sendable {
        /// A state and marks, separated by commas.
        case states
        case words([String])
        case keyPath
        case text
    }

    /// The query item.
    package let name: String
    let title: String
    /// For the API's description.
    let about: String
    let values: Values
    package let held: @Sendable (FlagEntry) -> [String]
    var label: @Sendable (String, CatalogueView) -> String = { value, _ in value }
    /// Splits the text of an address into values that a flag must all have.
    var parts: @Sendable (String) -> [String] = { [$0] }
    var takesSeveral = false
    /// A flag that a value includes though it doesn't hold it.
    var included: @Sendable (String) -> FlagKeyPath? = { _ in nil }
    /// A sentence without its end for a value that no flag holds; `nil` if such a value is no mistake.
    var absence: (@Sendable (String) -> String)?
    /// In their order; `nil` for the values that flags hold, from A to Z.
    var choices: (@Sendable (CatalogueView) -> [String])?
    /// Accepts values that no flag has to hold.
    var isKnown: @Sendable (String, CatalogueView) -> Bool = { _, _ in false }

    /// In the order of the page.
    package static let all = [state, group, tag, owner, type, source]

    static let state = FlagCriterion(
        name: "state", title: "State", about: "A state and any marks, separated by commas.", values: .states,
        held: { entry in FlagFilter.State.allCases.filter { $0.matches(entry) }.map(\.rawValue) },
        label: { value, _ in FlagFilter.State(rawValue: value)?.label ?? value },
        choices: { _ in FlagFilter.State.allCases.map(\.rawValue) })

    package static let group = FlagCriterion(
        name: "group", title: "Group", about: "The path of the group that the flag is shown in.", values: .keyPath,
        held: { $0.definition.groups.map(\.text) },
        label: { value, view in FlagKeyPath(text: value).map { view.name(of: $0) } ?? value },
        // A group may share its key path with a flag, which counts as inside it.
        included: { FlagKeyPath(text: $0) },
        absence: { "No group “\(FlagKeyPath(text: $0)?.shownText ?? $0)”" })

    package static let tag = FlagCriterion(
        name: "tag", title: "Tag",
        about: "Tags, separated by commas, all of which a flag must have; `(none)` for untagged flags.",
        values: .text,
        held: { $0.definition.metadata.tags.isEmpty ? [untagged] : $0.definition.metadata.tags },
        label: { value, _ in value == untagged ? "Untagged" : value },
        parts: { text in
            text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }, takesSeveral: true, absence: { "No flags have the tag “\($0)”" })

    /// The value of flags without a tag.
    package static let untagged = "(none)"

    package static let owner = FlagCriterion(
        name: "owner", title: "Owner", about: "The owner.", values: .text,
        held: { $0.definition.metadata.owner.map { [$0] } ?? [] }, absence: { "No flags are owned by “\($0)”" })

    static let type = FlagCriterion(
        name: "type", title: "Type", about: "The type.", values: .words(FlagType.allCases.map(\.rawValue)),
        held: { [$0.definition.type.rawValue] }, choices: { _ in FlagType.allCases.map(\.rawValue) })

    static let source = FlagCriterion(
        name: "provider", title: "Source", about: "The provider of the effective value, or `default`.",
        values: .text, held: { $0.resolution.source.filterName.map { [$0] } ?? [] },
        absence: { "No provider is named “\($0)”" },
        choices: { view in view.catalogue.providers.filter(\.isAsked).map(\.name) + [FlagFilter.defaultSource] },
        isKnown: { name, view in
            [FlagResolution.Source.defaultValue, .computed].map(\.filterName).contains(name)
                || view.catalogue.providers.contains { $0.name == name }
        })

    package static func == (left: FlagCriterion, right: FlagCriterion) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// A value in its usual form, or the problem with it.
    func read(_ text: String) -> (value: String?, problem: String?) {
        switch values {
        case .words(let words) where !words.contains(text):
            (nil, "Unknown \(name) “\(text)”. Use one of: \(words.joined(separator: ", ")).")
        case .keyPath where FlagKeyPath(text: text) == nil:
            (nil, "“\(text)” isn’t a key path. Write ~ as ~0 and / as ~1.")
        case .states, .words, .keyPath, .text: (text, nil)
        }
    }

    /// The bit of flags that fail it.
    var misses: FlagFilter.Misses {
        .criterion(Self.all.firstIndex(of: self) ?? Self.all.count)
    }
}
