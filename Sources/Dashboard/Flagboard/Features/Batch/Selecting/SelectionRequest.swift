import FeatureFlags
import FlagChanges
import Foundation
import Hummingbird

/// What the form below the list sends about the flags that are ticked, complete or not.
struct SelectionRequest: Hashable, Sendable {
    /// The flags that are ticked, each once, in the order of the form.
    let keys: [FlagKeyPath]
    /// Whether all flags are meant that the list finds, on every page of it.
    let isOfAll: Bool
    /// What is to be done; `nil` where that is not said.
    let action: SelectionAction?
    let value: String
    /// The tags as they were typed, with commas between them.
    let tagText: String
    let provider: String?
    /// The list to come back to.
    let back: String
    /// The query of the list, where all flags are meant that it finds.
    private let query: String?

    /// Decodes the form.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Throws: ``FormFieldsError``, or ``RequestError`` where it is too large.
    init(_ request: Request) async throws {
        let body = try await FormFields.bytes(of: request, upTo: FormFields.maximumBytes)
        let (keys, others) = try FormFields.separating("key", in: body, upTo: BatchProposal.largest)
        self.init(keys: keys, others)
    }

    /// Takes a form of these fields.
    ///
    /// - Parameter texts: The key paths that are ticked; what is none is left out.
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

    /// What the form asks for.
    func selection(in view: CatalogueView) throws(SelectionError) -> Selection {
        let keys = isOfAll ? try listedKeys(in: view) : keys
        guard !keys.isEmpty else {
            throw SelectionError(.flags, "No flag is selected. Tick the flags to change.")
        }
        guard let action else {
            throw SelectionError(.action, "Choose what to do to the selected flags.")
        }
        let tags = action.takes == "tag" ? tags(in: view) : []
        if tags.isEmpty, action.takes == "tag" { throw SelectionError(.tag, "Name a tag.") }
        let deeds = max(1, tags.count)
        guard deeds <= BatchProposal.largest, keys.count <= BatchProposal.largest / deeds else {
            throw SelectionError(
                .flags,
                "At most \(BatchProposal.largest) changes can be made at once, and these are \(keys.count) flags with "
                    + "\(deeds == 1 ? "1 change" : "\(deeds) changes") each. Select fewer.")
        }
        return Selection(keys: keys, action: action, value: value, tags: tags, provider: provider, back: back)
    }

    /// The list to come back to; that of all flags where another page is to be.
    var list: FlagFilter {
        let query = back.split(separator: "#", omittingEmptySubsequences: false)[0].split(separator: "?", maxSplits: 1)
        guard query.count == 2, Route.at(String(query[0])) == .flags, let fields = Self.fields(query[1]) else {
            return FlagFilter()
        }
        return FlagFilter(query: fields.values)
    }

    /// Each tag that is named, once.
    private func tags(in view: CatalogueView) -> [String] {
        TagText.tags(in: tagText, known: view.catalogue.entries.lazy.flatMap(\.definition.metadata.tags))
    }

    /// Every flag that the list finds.
    private func listedKeys(in view: CatalogueView) throws(SelectionError) -> [FlagKeyPath] {
        let filter = query.flatMap { Self.fields($0) }.map { FlagFilter(query: $0.values) }
        guard let filter, filter.problems.isEmpty else {
            throw SelectionError(.flags, "The form does not name its list. Search for the flags again.")
        }
        let keys = filter.entries(of: view).map(\.key)
        guard !keys.isEmpty else {
            throw SelectionError(.flags, "The list has no flags any more. Search for the flags again.")
        }
        return keys
    }

    /// The fields of a list's query; `nil` where it is none.
    private static func fields(_ query: some StringProtocol) -> FormFields? {
        switch Result(catching: { () throws(FormFieldsError) in try FormFields(query) }) {
        case .success(let fields): fields
        case .failure: nil
        }
    }
}

/// Why a form about the selected flags can't be previewed.
struct SelectionError: Error, Hashable {
    /// The part of the form that is to be corrected.
    enum Place: Hashable, Sendable {
        case flags, action, tag
    }

    let place: Place
    /// What is wrong and what to do, in sentences.
    let text: String

    init(_ place: Place, _ text: String) {
        self.place = place
        self.text = text
    }
}
