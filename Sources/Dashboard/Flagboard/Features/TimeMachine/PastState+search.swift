import FeatureFlags
import FlagChanges

extension PastState {
    /// The flags that have every word of a text in what they are searched by now (or then, where they are gone), or in the
    /// text that they held then.
    func flags(having text: String, in view: CatalogueView) -> [PastFlag] {
        let words = FlagSearchIndex.Words(text)
        let known = flags.compactMap { flag in (flag.now ?? flag.then).map { (flag, $0) } }
        guard !words.isEmpty else { return known.map(\.0) }
        let index = FlagSearchIndex(known.map(\.1), view.catalogue.collections)
        let matches = index.matches(words, texts: known.map { ($0.then ?? $1).heldText })
        return zip(known, matches).filter(\.1).map(\.0.0)
    }
}
