import FeatureFlags
import FeatureFlagsXML
import FlagHistory

struct WantedDefinition {
    let key: FlagKeyPath
    let type: FlagType
    let fields: [String: FlagValue]
    let file: EditedFile<FlagManifest>
}

struct PlannedDefinition {
    let change: Change
    let wanted: Result<WantedDefinition, ChangeError>
}

extension DefinitionPlan {
    /// Adds as many independent, valid definitions by one edit as fit into the file.
    ///
    /// One that wouldn't fit alone is refused and ends the run.
    func defined(_ run: [PlannedDefinition]) -> [PlannedChange] {
        let wanted = run.compactMap { definition in
            if case .success(let wanted) = definition.wanted { wanted } else { nil }
        }
        guard let file = wanted.first?.file else {
            return run.compactMap { definition in
                guard case .failure(let refusal) = definition.wanted else { return nil }
                return PlannedChange(change: definition.change, result: .failure(refusal))
            }
        }
        let (manifest, count, problem) = adding(wanted, to: file.content)
        let edited = file.replaced(by: manifest)
        var added = 0
        var planned: [PlannedChange] = []
        for definition in run {
            let result = Result { () throws(ChangeError) in
                let wanted = try definition.wanted.get()
                added += 1
                if let problem, added == count + 1 { throw refusal(problem, of: wanted.key) }
                if added > count { throw .tooMany(wanted.key) }
                return PlannedEdits(
                    PlannedEdit(
                        key: wanted.key, kind: .define, provider: nil, type: wanted.type, before: nil,
                        after: manifest.storedEntry(of: wanted.key), reading: file.reading, leaving: edited.reading,
                        content: .manifest(manifest)))
            }
            planned.append(PlannedChange(change: definition.change, result: result))
            if added == count + 1, !fits(wanted[count], in: file.content) { break }
        }
        return planned
    }

    private func fits(_ wanted: WantedDefinition, in manifest: FlagManifest) -> Bool {
        if case .success = Result(catching: { try manifest.adding(wanted.fields, for: wanted.key) }) {
            true
        } else {
            false
        }
    }

    private func adding(
        _ wanted: [WantedDefinition], to manifest: FlagManifest
    ) -> (manifest: FlagManifest, count: Int, problem: FlagManifestError?) {
        func adding(_ count: Int) -> Result<FlagManifest, FlagManifestError> {
            Result { () throws(FlagManifestError) in
                try manifest.adding(wanted.prefix(count).map { (key: $0.key, fields: $0.fields) })
            }
        }
        var (most, tooMany) = (0, wanted.count + 1)
        var (edited, problem) = (manifest, FlagManifestError?.none)
        var count = wanted.count
        while most + 1 < tooMany {
            switch adding(count) {
            case .success(let manifest): (edited, most) = (manifest, count)
            case .failure(let error): (problem, tooMany) = (error, count)
            }
            count = (most + tooMany) / 2
        }
        return (edited, most, problem)
    }
}

extension ChangeError {
    fileprivate static func tooMany(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) can't be defined in the same batch as the flags before it.",
            remedy: "Define fewer flags at once. Nothing was changed.")
    }
}
