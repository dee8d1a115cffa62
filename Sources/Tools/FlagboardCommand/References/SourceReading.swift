import ArgumentParser
import FlagReferences
import Foundation

/// `flagboard source-reader`: reads source files for another process of this program, which a file must not end.
struct SourceReading: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source-reader", abstract: "Read source files for a command that asks.", shouldDisplay: false)

    /// This program, as it runs now, with this command.
    static var program: SourceProgram {
        #if os(Linux)
            // An update may have replaced the file since the start.
            let executable = URL(filePath: "/proc/self/exe")
        #else
            let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        #endif
        return SourceProgram(executable: executable, arguments: ["source-reader"])
    }

    func run() async throws { try SourceService.run() }
}
