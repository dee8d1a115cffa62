import FeatureFlags
import Foundation

extension PropertyListDocument {
    /// Applies edits, in order, and checks that they make exactly the requested changes.
    func applying(
        _ edits: [SourceEdit], for key: FlagKeyPath?, expecting changes: [PropertyListChange]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let source = SourceEdit.apply(edits, to: source)
        guard source.count <= maximumSize else {
            let reason = "the file would have \(source.count) bytes, and the limit is \(maximumSize)"
            throw PropertyListEditError(.notStorable("\(reason); shorten the value"), key: key)
        }
        if let renewed = applyingInPlace(edits, giving: source, expecting: changes) { return renewed }
        var result = try reading(source, for: key, expecting: changes)
        result.wholeReads += wholeReads
        return result
    }

    /// Reads only the parts around the edits, and returns `nil` if those don't prove the requested changes.
    func applyingInPlace(
        _ edits: [SourceEdit], giving source: Data, expecting changes: [PropertyListChange]
    ) -> PropertyListDocument? {
        guard !hasRepeatedKeys else { return nil }
        var renewal = PropertyListRenewal(of: self, edits: edits, giving: source)
        return renewal.document(expecting: changes)
    }

    private func reading(
        _ source: Data, for key: FlagKeyPath?, expecting changes: [PropertyListChange]
    ) throws(PropertyListEditError) -> PropertyListDocument {
        let result: PropertyListDocument
        do throws(PropertyListError) {
            result = try PropertyListDocument(source: source, maximumSize: maximumSize)
        } catch {
            throw PropertyListEditError(.unsafe("\(error)"), key: key)
        }
        var expected = root
        for change in changes { expected.make(change.kind, at: change.path[...]) }
        guard result.root == expected else {
            throw PropertyListEditError(.unsafe("it would change other values"), key: key)
        }
        return result
    }
}
