import Foundation
import Synchronization

package struct PageSet: Sendable {
    let templates: TemplateLibrary
    let assets: PageAssets
}

extension PageSet {
    init(_ sources: PageSources, below mount: MountPath) throws(TemplateError) {
        // Of an empty folder, a missing style sheet would say too little.
        guard !sources.templates.isEmpty else { throw .noTemplates }
        assets = try PageAssets(sources.assets, joining: Feature.allStyles)
        templates = try TemplateLibrary(
            sources.templates, assets: assets.path, below: mount, addresses: Route.all.map { ($0.name, $0.prefix) })
    }
}

package enum DashboardPages: Sendable {
    case fixed(PageSet)
    case folder(WatchedPages)

    /// - Parameter folder: Holds `Templates/` and `Public/`; `nil` for the embedded pages.
    package init(
        of folder: URL?, below mount: MountPath = .root, log: @escaping @Sendable (String) -> Void
    ) throws(TemplateError) {
        if let folder {
            self = .folder(try WatchedPages(folder, below: mount, log: log))
        } else {
            self = .fixed(try PageSet(.built, below: mount))
        }
    }

    var current: PageSet {
        switch self {
        case .fixed(let pages): pages
        case .folder(let pages): pages.current
        }
    }
}

package final class WatchedPages: Sendable {
    private struct State {
        var pages: PageSet
        var stamps: [Stamp]
    }

    private struct Stamp: Hashable {
        let path: String
        let modified: Date?
        let size: Int?
    }

    private let folder: URL
    private let mount: MountPath
    private let log: @Sendable (String) -> Void
    private let state: Mutex<State>

    fileprivate init(
        _ folder: URL, below mount: MountPath, log: @escaping @Sendable (String) -> Void
    ) throws(TemplateError) {
        (self.folder, self.mount, self.log) = (folder, mount, log)
        let stamps = Self.stamps(in: folder)
        state = Mutex(State(pages: try PageSet(PageSources(folder), below: mount), stamps: stamps))
    }

    /// The pages, reloaded if files changed.
    ///
    /// Faulty files are logged, and the previous pages stay.
    fileprivate var current: PageSet {
        let (pages, fault) = state.withLock { state -> (PageSet, TemplateError?) in
            let stamps = Self.stamps(in: folder)
            guard stamps != state.stamps else { return (state.pages, nil) }
            state.stamps = stamps
            do throws(TemplateError) {
                state.pages = try PageSet(PageSources(folder), below: mount)
                return (state.pages, nil)
            } catch {
                return (state.pages, error)
            }
        }
        if let fault { log(fault.description) }
        return pages
    }

    private static func stamps(in folder: URL) -> [Stamp] {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        return ["Templates", "Public"].flatMap { name in
            let files = FileManager.default.enumerator(
                at: folder.appending(path: name), includingPropertiesForKeys: Array(keys), options: [.skipsHiddenFiles])
            return (files?.allObjects ?? []).compactMap { $0 as? URL }.map { file in
                switch Result(catching: { try file.resourceValues(forKeys: keys) }) {
                case .success(let values):
                    Stamp(path: file.path, modified: values.contentModificationDate, size: values.fileSize)
                case .failure: Stamp(path: file.path, modified: nil, size: nil)
                }
            }
        }.sorted { $0.path < $1.path }
    }
}
