import Foundation

/// Git in a project's folder, with both files committed.
struct Git {
    private let folder: URL

    /// Whether there is a git to run.
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

    init(_ project: Project) throws {
        folder = project.folder
        try run("init", "-q", "-b", "main")
        try run("add", "flags.xml", "flags.manifest.xml")
        try commit("the first version")
    }

    func commit(_ message: String) throws {
        try run("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-a", "-m", message)
    }

    /// Runs git, untouched by what the user has configured.
    func run(_ arguments: String...) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments = ["-C", folder.path] + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "git \(arguments): \(String(decoding: said, as: UTF8.self))")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
