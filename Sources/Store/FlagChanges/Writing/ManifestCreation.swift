import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Makes a manifest without definitions where there is none, for the first definition to be written into.
///
/// Such a manifest says just what no manifest says, so it is no change of anything: a crash behind it leaves nothing half
/// done, and the definition comes by the write protocol like every other.
struct ManifestCreation {
    let context: ChangeContext

    /// Makes it.
    func run() throws(TransactionError) -> Workspace.Manifest {
        let target = context.files.manifestTarget
        let manifest = FlagManifest.empty()
        let reading: FileReading?
        do throws(FileAccessError) {
            // What values are called and default to is no less private than the values.
            let mode = try AtomicFile.signature(of: context.files.values)?.mode
            try AtomicFile.makeNew(
                target, with: manifest.document.source, mode: mode, writer: FlagFiles.temporaryWriter)
            reading = try FileReading.read(target)
        } catch {
            // Another program has made one meanwhile.
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
