import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Creates an empty manifest for the first definition.
///
/// It means the same as none, so a crash afterwards leaves nothing unfinished.
struct ManifestCreation {
    let context: ChangeContext

    func run() throws(TransactionError) -> Workspace.Manifest {
        let target = context.files.manifestTarget
        let manifest = FlagManifest.empty()
        let reading: FileReading?
        do throws(FileAccessError) {
            // Definitions are as private as the values.
            let mode = try AtomicFile.signature(of: context.files.values)?.mode
            try AtomicFile.makeNew(
                target, with: manifest.document.source, mode: mode, writer: FlagFiles.temporaryWriter)
            reading = try FileReading.read(target)
        } catch {
            // Another program made one meanwhile.
            if error.isInTheWay { throw .raced }
            throw .refused(ChangeError(writing: error), isForAll: false)
        }
        guard let reading, reading.data == manifest.document.source else { throw .raced }
        do {
            try context.history.setHead(
                FileHead(
                    role: .manifest, path: context.files.manifest.path(percentEncoded: false), hash: reading.hash,
                    content: reading.data))
        } catch {
            throw .refused(ChangeError(storing: error), isForAll: error.isBusy)
        }
        return Workspace.Manifest(url: context.files.manifest, reading: reading, content: .success(manifest))
    }
}
