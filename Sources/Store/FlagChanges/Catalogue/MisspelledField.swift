import FeatureFlagsXML
import Foundation

struct MisspelledField: Hashable, Sendable {
    let owner: UnknownField.Owner
    let name: String
}

extension Workspace {
    private static let mostToldFields = 20

    /// Logs new misspelled fields, even of internal flags.
    func tellMistakenFields(besides told: Set<MisspelledField>, _ log: (String) -> Void) -> Set<MisspelledField> {
        guard let manifest = definitions else { return [] }
        let fields = manifest.unknownFields.filter { $0.intention != nil }
        let new = fields.filter { !told.contains(MisspelledField(owner: $0.owner, name: $0.name)) }
        let file = self.manifest.url.lastPathComponent
        for field in new.prefix(Self.mostToldFields) {
            let place = manifest.location(of: field).map { "\($0): " } ?? ""
            log(
                "\(file): \(place)\(field.owner.words)\(field.name) is unknown and has no effect: \(field.advice ?? "")"
            )
        }
        if new.count > Self.mostToldFields {
            log("\(file): \(new.count - Self.mostToldFields) more unknown fields have no effect")
        }
        return Set(fields.map { MisspelledField(owner: $0.owner, name: $0.name) })
    }
}

extension UnknownField.Owner {
    package var words: String {
        switch self {
        case .manifest: ""
        case .flag(let key): "\(key), "
        case .collection(let key): "the group \(key), "
        }
    }
}
