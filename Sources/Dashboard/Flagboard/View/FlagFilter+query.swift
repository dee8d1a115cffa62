import FeatureFlags

extension FlagFilter {
    /// Empty items count as absent.
    ///
    /// The items are `q`, one for each ``FlagCriterion``, `sort`, `view`, `page`, `open` and `at`.
    init(query: [String: String]) {
        let query = query.filter { !$0.value.isEmpty }
        self.init(text: query["q"] ?? "")
        for criterion in FlagCriterion.all {
            guard let text = query[criterion.name] else { continue }
            if case .states = criterion.values {
                for name in text.split(separator: ",") { read(state: String(name)) }
            } else {
                let (value, problem) = criterion.read(text)
                self[criterion] = value
                if let problem { problems.append(problem) }
            }
        }
        if let name = query["sort"] {
            if let known = Sort(rawValue: name) {
                sort = known
            } else {
                problems.append("Unknown sort order “\(name)”. Use one of: \(Sort.allCases.listed).")
            }
        }
        if let name = query["view"] {
            showsProviders = name == Self.providersView
            if !showsProviders { problems.append("Unknown view “\(name)”. Showing the list.") }
        }
        if let text = query[Self.openField] {
            opened = FlagKeyPath(text: text)
            if opened == nil { problems.append("“\(text)” isn’t a key path. Choose a flag from the list.") }
        }
        // It is only a scroll position, so an invalid one is ignored.
        returning = query[Self.returnField].flatMap { FlagKeyPath(text: $0) }
        if let number = query["page"] {
            page = max(1, Int(number) ?? 0)
            if page != Int(number) { problems.append("“\(number)” isn’t a page. Showing the first page.") }
        }
    }

    mutating func tellUnknown(in query: [String: String]) {
        problems += UnknownCriteria.problems(
            in: query,
            known: Set(items.map(\.0) + FlagCriterion.all.map(\.name) + ["saved"]))
    }

    /// Values of `state` that don't depend on the viewer's browser.
    package static let stateWords =
        State.allCases.map(\.rawValue) + Mark.allCases.filter { !$0.isOfViewer }.map(\.rawValue)

    private mutating func read(state name: String) {
        if let mark = Mark(rawValue: name) {
            marks.insert(mark)
        } else if State(rawValue: name) != nil {
            if let state = self[.state], state != name {
                problems.append("Choose either \(state) or \(name), not both.")
            }
            self[.state] = name
        } else {
            problems.append("Unknown state “\(name)”. Use one of: \(Self.stateWords.joined(separator: ", ")).")
        }
    }

    /// Without text, order and page.
    var criteria: [(name: String, value: String)] {
        FlagCriterion.all.compactMap { criterion in
            guard case .states = criterion.values else { return self[criterion].map { (criterion.name, $0) } }
            let states = [self[criterion]].compactMap(\.self) + Mark.allCases.filter(marks.contains).map(\.rawValue)
            return states.isEmpty ? nil : (criterion.name, states.joined(separator: ","))
        }
    }

    var href: String { PageLink.flags + PageLink.query(items) }

    private var items: [(String, String?)] {
        [("q", text)] + criteria.map { ($0.name, $0.value) } + [
            ("sort", sort == .order ? nil : sort.rawValue),
            ("view", showsProviders ? Self.providersView : nil), ("page", page > 1 ? String(page) : nil),
            (Self.openField, opened?.text), (Self.returnField, returning?.text),
        ]
    }

    /// Encodes the rest of the address once: there may be thousands of groups.
    func hrefs(ofGroups groups: [FlagKeyPath]) -> [String] {
        let name = FlagCriterion.group.name
        // Any key path serves as a placeholder.
        let items = with(.group, name).items
        guard let place = items.firstIndex(where: { $0.0 == name }) else { return [] }
        let (before, after) = (PageLink.query(Array(items[..<place])), PageLink.query(Array(items[(place + 1)...])))
        let start = PageLink.flags + (before.isEmpty ? "?" : before + "&") + name + "="
        let end = after.isEmpty ? "" : "&" + after.dropFirst()
        return groups.map { group in
            let text = group.text
            return text.isEmpty ? with(.group, text).href : start + PageLink.encode(text) + end
        }
    }
}
