import FlagChanges

/// The import form, or the result of an import that changes nothing.
struct ImportPage: PageModel {
    static let template = "import"

    let frame: PageFrame
    let remark: PageRemark?
    let form: Fields?
    /// The result of an import that changes nothing.
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
            limitText: "\(ImportedValues.maximumBytes / 1024 / 1024) MiB")
    }

    private static func remark(_ view: CatalogueView, _ targets: [String]) -> PageRemark? {
        if let person = view.visitor?.person, person.role != .admin {
            return PageRemark(
                heading: "You may look, but not import",
                advice:
                    "You are signed in as \(person.name) with the role \(person.role.rawValue). To import, sign in with "
                    + "the token of an admin.")
        }
        if let block = view.status.block {
            return PageRemark(heading: "Nothing can be imported now", advice: block)
        }
        guard targets.isEmpty else { return nil }
        return PageRemark(
            heading: "Nothing can be imported now",
            advice:
                "Every provider is read-only. Start Flagboard with a writable one, or repair what the top of the page "
                + "names.")
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
        case .merge: "Sets what the import holds. Other values stay."
        case .replace: "Also resets every value that the import does not hold."
        case .create: "Sets only flags that have no value in the provider."
        }
    }
}

extension CatalogueView {
    /// The names of the providers that accept changes now, including those of other environments.
    var changeableProviders: [String] {
        catalogue.providers.filter {
            $0.isWritable && !status.unreadable.contains($0.name) && !status.unwritable.contains($0.name)
        }.map(\.name)
    }

    /// The first of them that flag reads use, so that other environments change only on request.
    var usualChangeableProvider: String? {
        let names = changeableProviders
        return catalogue.providers.filter { names.contains($0.name) }.usual?.name
    }
}
