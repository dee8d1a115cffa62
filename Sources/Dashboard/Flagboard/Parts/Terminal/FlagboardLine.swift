/// One of our own commands as it is typed: `flagboard set FILE KEY VALUE --reason WHY`.
package struct FlagboardLine {
    /// Which command.
    let command: String
    /// What it takes in their order: the file, the key path, a value.
    let arguments: [String]
    /// Its options, each with a value.
    var options: [(name: String, value: String)] = []

    package init(command: String, arguments: [String], options: [(name: String, value: String)] = []) {
        (self.command, self.arguments, self.options) = (command, arguments, options)
    }

    /// The line; `nil` where a part of it can't be typed.
    package var text: String? {
        // What begins with a dash is an argument only behind the two dashes that end the options.
        let hasDash = arguments.contains { $0.utf8.first == UInt8(ascii: "-") }
        var words: [String] = []
        for argument in arguments {
            guard let word = ShellText.word(argument) else { return nil }
            words.append(word)
        }
        var choices: [String] = []
        for (name, value) in options {
            guard let word = ShellText.word(value) else { return nil }
            choices.append(value.utf8.first == UInt8(ascii: "-") ? "--\(name)=\(word)" : "--\(name) \(word)")
        }
        let parts = hasDash ? choices + ["--"] + words : words + choices
        return (["flagboard", command] + parts).joined(separator: " ")
    }
}
