import FeatureFlags
import FlagChanges
import Foundation
import Hummingbird

/// The form for selected flags, complete or not.
struct SelectionRequest: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case flags, action, tag
    }

    /// Without duplicates, in the order of the form.
    let keys: [FlagKeyPath]
    /// `true` when all flags on all pages of the list are selected.
    let isOfAll: Bool
    let action: SelectionAction?
    let value: String
    /// The tags as typed, separated by commas.
    let tagText: String
    let provider: String?
    let back: String
    /// Set if all flags of the list are selected.
    private let query: String?

    /// - Throws: ``UnreadableFormError``, or ``RequestError`` for a form that is too large.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: FormFields.maximumBytes)
        let (keys, others) = try FormFields.separating("key", in: body, upTo: BatchProposal.largest)
        self.init(keys: keys, others)
    }

    /// Ignores invalid key paths.
    init(keys texts: [String], _ fields: FormFields) {
        var seen: Set<String> = []
        keys = texts.filter { seen.insert($0).inserted }.compactMap { FlagKeyPath(text: $0) }
        isOfAll = fields["extent"] == "all"
        action = fields["action"].flatMap(SelectionAction.init(rawValue:))
        value = fields["value"].map(LineEnds.normalized) ?? ""
        tagText = fields["tag"] ?? ""
        provider = fields["provider"].flatMap { $0.isEmpty ? nil : $0 }
        back = LocalPath.checked(fields["back"])
        query = fields["query"]
    }

    func selection(in view: CatalogueView) throws(FormError<Place>) -> Selection {
        let keys = isOfAll ? try listedKeys(in: view) : keys
        guard !keys.isEmpty else {
            throw FormError("No flags are selected. Select the flags to change.", at: .flags)
        }
        guard let action else {
            throw FormError("Select an action.", at: .action)
        }
        let tags = action.takes == "tag" ? tags(in: view) : []
        if tags.isEmpty, action.takes == "tag" { throw FormError("Enter a tag.", at: .tag) }
        let deeds = max(1, tags.count)
        guard deeds <= BatchProposal.largest, keys.count <= BatchProposal.largest / deeds else {
            throw FormError(
                "Up to \(BatchProposal.largest) changes can be made at once. You selected \(keys.count) flags with "
                    + "\(deeds == 1 ? "1 change" : "\(deeds) changes") each. Select fewer.", at: .flags)
        }
        return Selection(keys: keys, action: action, value: value, tags: tags, provider: provider, back: back)
    }

    /// The list of all flags if ``back`` is another page.
    var list: FlagFilter {
        let query = back.split(separator: "#", omittingEmptySubsequences: false)[0].split(separator: "?", maxSplits: 1)
        guard query.count == 2, Route.at(String(query[0])) == .flags, let fields = FormFields(ifReadable: query[1])
        else {
            return FlagFilter()
        }
        return FlagFilter(query: fields.values)
    }

    private func tags(in view: CatalogueView) -> [String] {
        TagText.tags(in: tagText, known: view.catalogue.entries.lazy.flatMap(\.definition.metadata.tags))
    }

    private func listedKeys(in view: CatalogueView) throws(FormError<Place>) -> [FlagKeyPath] {
        let filter = query.flatMap { FormFields(ifReadable: $0) }.map { FlagFilter(query: $0.values) }
        guard let filter, filter.problems.isEmpty else {
            throw FormError("The list is missing from the form. Search for the flags again.", at: .flags)
        }
        let keys = filter.entries(of: view).map(\.key)
        guard !keys.isEmpty else {
            throw FormError("The list is empty now. Search for the flags again.", at: .flags)
        }
        return keys
    }
}
