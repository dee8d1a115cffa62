import FeatureFlags
import FeatureFlagsXML
import Foundation

enum Theme: String, CaseIterable, FlagProtocol { case light, dark }

struct Layout: Codable, FlagProtocol {
    struct Cell: Codable {
        var title: String
        var span: UInt8
    }

    var columns: Int8
    var price: Decimal
    var note: String?
    var cells: [Cell]
}

/// One flag for each kind of type.
struct DeclaredFlags: FlagCollectionProtocol {
    @Flag("A Boolean") var bool = false
    @Flag("A byte") var byte: UInt8 = 7
    @Flag("A whole number of 0 or more") var unsigned: UInt = 7
    @Flag("A whole number") var whole = 7
    @Flag("A number of single precision") var single: Float = 0.5
    @Flag("A number that may be missing") var perhaps: Int? = nil
    @Flag("Texts") var texts = ["a"]
    @Flag("Whole numbers by name") var counts = ["k": 1]
    @Flag("One of two") var theme = Theme.light
    @Flag("An address") var link = URL(filePath: "/shop")
    @Flag("A time") var start = Date(timeIntervalSince1970: 0)
    @Flag("A Codable type")
    var layout = Layout(columns: 2, price: 1.5, note: nil, cells: [.init(title: "a", span: 1)])
}

/// Writes the manifest beside a values file, and prints a line of JSON for each flag.
///
/// A line has the key and the reported problems, and if a provider holds a value that the app reads, that value and the
/// provider's name. A Codable value is its JSON in base64.
///
/// After the file, the `UserDefaults` of the suite `shop` are read, where the names of flags begin with `flags/`.
func readDeclared(in file: URL) throws {
    let saved = try UserDefaultsProvider(suiteName: "shop", name: "Saved", keyPrefix: "flags/")
    let manager = FlagsManager(providers: [LocalProvider(localURL: file, isWatched: false), saved])
    let loader = manager.addCollection(DeclaredFlags.self)
    try loader.writeManifest(to: file.deletingPathExtension().appendingPathExtension("manifest.xml"))
    var readings = Readings()
    for flag in loader.featureFlags { flag.accept(&readings) }
    for (key, reading) in zip(loader.featureFlags.map(\.keyPath), readings.all) {
        let problems = manager.diagnostics.current.filter { $0.flag == key }.map { FlagValue.string($0.description) }
        var line: [String: FlagValue] = ["key": .string(key.text), "problems": .array(problems)]
        if let (value, source) = try reading.get() { (line["value"], line["source"]) = (value, .string(source)) }
        print(FlagJSON.line(.dictionary(line)))
    }
}

/// What providers hold of each flag, as the app reads it.
private struct Readings: FlagVisitor {
    var all: [Result<(value: FlagValue, source: String)?, any Error>] = []

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        all.append(
            Result {
                // Reads as the app does, which reports what is broken.
                let value = flag.wrappedValue
                guard let source = flag.flagValue().source else { return nil }
                return (try value.encoded(), source.name)
            })
    }
}
