import FlagChanges

struct ImportPage: PageModel {
    static let template = "import"

    let frame: PageFrame
    let remark: PageRemark?
    let form: Fields?
    /// Set if the import changes nothing.
    let notes: [String]

    struct Fields: Hashable, PagePart {
        let text: String
        let problem: String?
        /// `true` when a file was sent: browsers make the person choose it again.
        let isFileLost: Bool
        let isTextWrong: Bool
        let providers: [ChoiceOption]
        let modes: [Mode]
        let limitText: String
    }

    struct Mode: Hashable, PagePart {
        let value: String
        let id: String
        let label: String
        let meaning: String
        let isSelected: Bool
    }

    init(
        frame: PageFrame, view: CatalogueView, form: ImportRequest? = nil, problem: String? = nil, notes: [String] = []
    ) {
        self.frame = frame.titled("Import", in: .importing)
        let targets = view.changeableProviders
        remark = Self.remark(view, targets)
        // Input is never lost, even when an import has become impossible.
        let isShown = remark == nil || form != nil
        self.form = isShown ? Self.fields(form, targets, usual: view.usualChangeableProvider, problem) : nil
        self.notes = notes
    }

    private static func fields(_ form: ImportRequest?, _ targets: [String], usual: String?, _ problem: String?)
        -> Fields
    {
        let chosen = form?.provider ?? usual
        let unknown = chosen.map { targets.contains($0) ? [] : [$0] } ?? []
        let mode = form?.modeName ?? ImportPlan.Mode.merge.rawValue
        return Fields(
            text: form?.text ?? "", problem: problem,
            isFileLost: problem != nil && form?.file != nil,
            isTextWrong: problem != nil && form?.file == nil && form?.text != "",
            providers: (targets + unknown).map { ChoiceOption(value: $0, label: $0, isSelected: $0 == chosen) },
            modes: ImportPlan.Mode.allCases.map {
                Mode(
                    value: $0.rawValue, id: "mode-\($0.rawValue)", label: $0.label, meaning: $0.meaning,
                    isSelected: $0.rawValue == mode)
            },
            limitText: "\(ImportedValues.maximumBytes / 1024 / 1024) MB")
    }

    private static func remark(_ view: CatalogueView, _ targets: [String]) -> PageRemark? {
        if let person = view.visitor?.person, person.role != .admin {
            return PageRemark(
                heading: "You don’t have permission to import",
                advice:
                    "You’re signed in as \(person.name) (\(person.role.rawValue)). Ask an admin to import, or for admin access."
            )
        }
        if let block = view.status.block {
            return PageRemark(heading: "Import is unavailable", advice: block)
        }
        guard targets.isEmpty else { return nil }
        return PageRemark(
            heading: "Import is unavailable",
            advice: "No provider is writable. Start Flagboard with a writable one, or fix the file named above.")
    }
}

extension ImportPlan.Mode {
    fileprivate var label: String {
        switch self {
        case .merge: "Merge"
        case .replace: "Replace"
        case .create: "Add"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .merge: "Update imported flags, keep the rest"
        case .replace: "Also reset flags that aren’t in the import"
        case .create: "Only set flags that have no value"
        }
    }
}

extension CatalogueView {
    /// The names of the providers that accept changes now, including those of other environments.
    var changeableProviders: [String] {
        catalogue.providers.filter(isChangeable).map(\.name)
    }

    func isChangeable(_ provider: ProviderSummary) -> Bool {
        provider.isWritable && !status.unreadable.contains(provider.name) && !status.unwritable.contains(provider.name)
    }

    /// The first that reads use: other environments change only on request.
    var usualChangeableProvider: String? {
        catalogue.providers.lazy.filter(isChangeable).usual?.name
    }
}
