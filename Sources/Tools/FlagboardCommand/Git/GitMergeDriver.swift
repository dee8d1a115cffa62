import ArgumentParser
import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Flagboard
import Foundation

struct GitMergeDriver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge-driver", abstract: "Merge three versions of a file, flag by flag. Called by Git.",
        discussion: """
            Writes the result to OURS. Exits with 1 if both sides changed a flag in different ways: OURS then keeps \
            its own value, with a comment that shows all three.
            """)

    @Argument(help: "The common ancestor of both versions.")
    var base: String

    @Argument(help: "The version to merge into. The result is written to it.")
    var ours: String

    @Argument(help: "The version to merge.")
    var theirs: String

    @Argument(help: "The length of a conflict marker.")
    var size: Int

    @Argument(help: "The file's path in the repository.")
    var path: String

    /// The longest conflict marker: `.gitattributes` may ask for one that fills the memory.
    private static let maximumSize = 1_000

    private var markerSize: Int { min(max(size, 1), Self.maximumSize) }

    /// The command that settles the conflict, at the top of the work tree.
    private var addLine: String {
        let dashes = path.hasPrefix("-") ? "-- " : ""
        return ShellText.word(path).map { "git add \(dashes)\($0)" } ?? "git add on it"
    }

    private var name: String { ValueWords.text(path) }

    func run() async throws {
        try Git.reporting {
            let sources = try [base, ours, theirs].map { file in
                try AtomicFile.read(URL(filePath: file), maximumSize: PropertyListDocument.largestMaximumSize).data
            }
            guard let merge = try merge(sources) else { return try mergeAsText() }
            guard merge.conflicts.isEmpty else { return try keepOurs(merge, sources) }
            let problem = try invalidity(of: merge.document, sources)
            let outcome = try textOutcome(like: merge.document) ?? merge.document
            try write(outcome.source, over: sources[1])
            try warnOfComments(from: sources, in: outcome)
            if let problem {
                CommandOutput.warn(
                    "\(name): both sides are valid, but the merged file is not:\n\(problem)\nFix the file, then run "
                        + "\(addLine)")
                throw ExitCode.failed
            }
        }
    }

    /// Merges flag by flag; warns and returns `nil` if that fails.
    private func merge(_ sources: [Data]) throws -> PropertyListMerge? {
        do {
            let documents = try zip(["base", "ours", "theirs"], sources).map { side, source in
                // If both sides added the file, git gives an empty base.
                if source.isEmpty, side == "base" { return PropertyListDocument.empty() }
                do {
                    return try Self.mergeable(try PropertyListDocument(source: source), side)
                } catch let error as PropertyListError {
                    throw PlainError("can't read \(side) as a property list: \(error)")
                }
            }
            return try PropertyListMerge(
                base: documents[0], ours: documents[1], theirs: documents[2], dictionaryKeys: try dictionaryKeys())
        } catch {
            CommandOutput.warn("can't merge \(name) flag by flag, so Git's line merge is used: \(error)")
            return nil
        }
    }

    /// Throws for a broken value whose content isn't known, since it would be lost.
    private static func mergeable(
        _ document: PropertyListDocument, _ side: String
    ) throws -> PropertyListDocument {
        if let fault = document.duplicateKeys.first { throw fault }
        if let markup = document.brokenValues.first(where: { $0.value.kind == .markup }) {
            throw PlainError("\(side) has a value that can't be merged: \(markup.value.problem)")
        }
        return document
    }

    /// Returns the dictionary flags of the manifest that lies beside the file now.
    private func dictionaryKeys() throws -> Set<FlagKeyPath> {
        let files = FlagFiles(values: URL(filePath: path))
        guard let contents = try AtomicFile.readIfThere(files.manifest, maximumSize: files.maximumFileSize) else {
            return []
        }
        do throws(FlagManifestError) {
            return try FlagManifest(source: contents.data).dictionaryKeys
        } catch {
            CommandOutput.warn(
                "can't read the manifest beside \(name), so dictionaries are merged entry by entry: \(error)")
            return []
        }
    }

    /// Returns why the outcome is no valid manifest, if both sides are.
    private func invalidity(of outcome: PropertyListDocument, _ sources: [Data]) throws -> FlagManifestError? {
        func problem(_ body: () throws(FlagManifestError) -> FlagManifest) -> FlagManifestError? {
            do throws(FlagManifestError) {
                _ = try body()
                return nil
            } catch {
                return error
            }
        }
        for source in sources[1...] {
            if problem({ () throws(FlagManifestError) in try FlagManifest(source: source) }) != nil { return nil }
        }
        return problem { () throws(FlagManifestError) in try FlagManifest(document: outcome) }
    }

    /// Returns git's merge of lines if its values are the same: it keeps both sides' comments and layout.
    private func textOutcome(like document: PropertyListDocument) throws -> PropertyListDocument? {
        let outcome = try mergedLines()
        guard outcome.status == 0 else { return nil }
        do throws(PropertyListError) {
            let merged = try PropertyListDocument(source: outcome.output)
            return merged.root == document.root ? merged : nil
        } catch {
            // The merged lines are no property list; the merge of flags stands.
            return nil
        }
    }

    private func mergedLines() throws -> GitProgram.Outcome {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        // A name that begins with a dash would be an option.
        let files = [ours, base, theirs].map { URL(filePath: $0).absoluteURL.path(percentEncoded: false) }
        return try GitProgram(in: folder).run(
            ["merge-file", "-p", "--marker-size=\(markerSize)", "-L", "ours", "-L", "base", "-L", "theirs"] + files)
    }

    private func mergeAsText() throws {
        let outcome = try mergedLines()
        // Codes below 128 count conflicts; others are errors.
        guard outcome.status < 128 else {
            CommandOutput.warn("can't merge \(name) by lines either, so ours is kept: \(outcome.complaint)")
            throw ExitCode.failed
        }
        try write(outcome.output, over: nil)
        if outcome.status > 0 { throw ExitCode.failed }
    }

    /// Keeps our values in conflicts, with comments, and reports them.
    private func keepOurs(_ merge: PropertyListMerge, _ sources: [Data]) throws {
        for conflict in merge.conflicts {
            let absence = conflict.place.absence
            let (ours, theirs) = ValueWords.pair(conflict.ours, conflict.theirs, absence: absence)
            let base = ValueWords.pair(conflict.base, conflict.ours, absence: absence).before
            CommandOutput.warn(
                "\(name): conflict in \(ValueWords.text(conflict.place.text)): base \(base), ours \(ours), theirs \(theirs)"
            )
        }
        let outcome = try merge.marked(size: markerSize)
        try write(outcome.source, over: nil)
        try warnOfComments(from: sources, in: outcome)
        CommandOutput.warn(
            "\(name) keeps ours, with a comment at each conflict. Set the correct value there, remove the comment, "
                + "then run "
                + addLine)
        throw ExitCode.failed
    }

    private func write(_ outcome: Data, over old: Data?) throws {
        guard outcome != old else { return }
        try AtomicFile.replace(AtomicFile.target(of: URL(filePath: ours)), with: outcome, mode: nil)
    }

    /// Warns of their comments that the outcome lacks, since only values are taken over.
    private func warnOfComments(from sources: [Data], in outcome: PropertyListDocument) throws {
        guard !sources[0].isEmpty else { return }
        let (base, theirs) = try (PropertyListDocument(source: sources[0]), PropertyListDocument(source: sources[2]))
        let known = Set(base.comments).union(outcome.comments)
        for comment in theirs.comments where !known.contains(comment) {
            CommandOutput.warn("\(name): a comment in theirs was not merged: \(ValueWords.text(comment))")
        }
    }
}
