/// Metrics in the words of Prometheus' text format 0.0.4.
struct PrometheusText {
    /// What was written.
    private(set) var text = ""

    /// Begins a metric.
    mutating func begin(_ name: String, _ kind: SeriesKind, help: String) {
        let line = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(line)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Tells one number of the metric.
    ///
    /// - Parameter labels: Its labels, as the format writes them; may be empty.
    mutating func add(_ name: String, _ labels: String, _ value: Double) {
        text += labels.isEmpty ? "\(name) \(Self.number(value))\n" : "\(name){\(labels)} \(Self.number(value))\n"
    }

    /// A number as the format writes it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// A name that the format takes: other characters than letters, digits, `_` and `:` become `_`.
    static func name(_ label: String) -> String { valid(label) { $0 == ":" } }

    /// A label's name that the format takes and that none of its own has.
    static func labelName(_ name: String) -> String {
        let name = valid(name) { _ in false }
        return name == "le" || name == "quantile" || name.hasPrefix("__") ? "own_\(name)" : name
    }

    /// A label's value, as the format writes it.
    static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func valid(_ name: String, _ isTaken: (Character) -> Bool) -> String {
        let taken = name.map { character in
            character.isASCII && (character.isLetter || character.isNumber) || character == "_" || isTaken(character)
                ? character : "_"
        }
        return taken.first.map { $0.isNumber ? "_" : "" }.map { $0 + String(taken) } ?? "_"
    }
}
