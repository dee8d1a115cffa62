import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Foundation

enum LintedFile {
    /// The file doesn't exist and isn't required.
    case absent
    /// The file can't be read, which was reported.
    case broken
    case sound(PropertyListDocument)
    /// A property list in binary form.
    case binary

    var document: PropertyListDocument? {
        if case .sound(let document) = self { document } else { nil }
    }

    /// Reads a file, which messages quote if `isQuoted`, since none of it is internal.
    init(
        _ url: URL, upTo maximumSize: Int, isNeeded: Bool, isQuoted: Bool, takesBinary: Bool = false,
        _ found: inout LintFindings
    ) {
        self = .broken
        do throws(FileAccessError) {
            guard let reading = try FileReading.read(url, maximumSize: maximumSize) else {
                if isNeeded {
                    found.add(.unreadableFile, in: url, at: nil, "the file doesn't exist; check the path")
                } else {
                    self = .absent
                }
                return
            }
            if takesBinary, BinaryPropertyList.isBinary(reading.data) {
                self = .binary
            } else if let document = Self.document(reading.data, url, upTo: maximumSize, isQuoted: isQuoted, &found) {
                self = .sound(document)
            }
        } catch {
            found.add(
                .unreadableFile, in: url, at: nil,
                "can't \(error.action) the file: \(FileProblem(error, in: url).outline)")
        }
    }

    private static func document(
        _ data: Data, _ url: URL, upTo maximumSize: Int, isQuoted: Bool, _ found: inout LintFindings
    ) -> PropertyListDocument? {
        do throws(PropertyListError) {
            let document = try PropertyListDocument(source: data, maximumSize: maximumSize)
            for fault in document.duplicateKeys { found.add(.duplicateKey, fault, in: url, isQuoted: isQuoted) }
            if document.holdsDictionary { return document }
            found.add(
                .malformedFile, in: url, at: document.location(of: []),
                "the root is \(document.root.kind), expected a dictionary")
        } catch {
            found.add(.malformedFile, error, in: url, isQuoted: isQuoted)
        }
        return nil
    }
}

extension LintFindings {
    fileprivate mutating func add(_ rule: LintRule, _ error: PropertyListError, in url: URL, isQuoted: Bool) {
        let isTold = isQuoted || error.outline == error.reason
        add(
            rule, in: url, at: error.location,
            isTold ? error.reason : "\(error.outline) (use --show-internal for details)")
    }
}
