import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird
import Logging

extension Dashboard {
    func view(of overview: FlagOverview, _ context: DashboardContext) -> CatalogueView {
        CatalogueView(
            catalogue: overview.catalogue,
            status: ServiceStatus(overview, service, notices: passingNotices(context.visitor)),
            now: clock(),
            visitor: context.visitor, lastRow: overview.lastRow, mark: StatusFingerprint(overview),
            pendingRestart: overview.pendingRestart, unchanged: overview.unchanged, conflicts: overview.conflicts,
            renamed: renamed(at: overview, context),
            note: context.note, asked: context.asked, settings: context.settings,
            memory: memory(at: overview, context), environments: overview.flags.environments, knownTraits: knownTraits)
    }

    /// Key paths given by a renaming; none if the history is unreadable, which the page states.
    private func renamed(at overview: FlagOverview, _ context: DashboardContext) -> Set<FlagKeyPath> {
        guard let row = overview.lastRow else { return [] }
        do throws(HistoryStoreError) {
            return try renamedFlags.keys(through: row, in: service.history)
        } catch {
            context.logger.warning("Can't find out which flags were renamed: \(error)")
            return []
        }
    }

    func frame(_ view: CatalogueView) -> PageFrame {
        let (searches, notice) = savedSearches()
        return PageFrame(
            fileName: service.files.values.lastPathComponent, providers: view.catalogue.providers,
            status: view.status, visitor: view.visitor, hasWebhooks: webhooks != nil, banner: banner,
            lastRow: view.lastRow,
            mark: view.mark, restart: RestartBanner(view), note: view.note, settings: view.settings,
            copies: view.asked.map {
                PageCopies(
                    $0.target(for: view.memory.lastVisit), at: address(of: $0.address),
                    file: commandsFile(for: view.visitor))
            },
            ownChange: view.memory.ownChange.flatMap { OwnChange($0, in: view) },
            furtherPages: view.furtherPages + searches.map { TextLink(label: $0.name, href: $0.href) }
        ).adding(notice)
    }

    func frame(_ context: DashboardContext) async throws -> PageFrame {
        frame(view(of: try await service.overview(), context))
    }

    /// - Throws: ``RequestError`` (404) from a dashboard without pages.
    func respond(_ page: some PageModel, status: HTTPResponse.Status = .ok) throws -> Response {
        guard let pages else { throw RequestError.noPages }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try pages.current.templates.render(page))))
    }
}

enum DefinitionLink {
    static func canDefine(_ view: CatalogueView) -> Bool {
        view.visitor?.isAdmin == true && view.status.block == nil && !view.status.definesInCode
    }

    static func link(_ entry: FlagEntry, in view: CatalogueView) -> TextLink? {
        guard canDefine(view) else { return nil }
        return entry.isDefined
            ? TextLink(label: "Edit definition", href: PageLink.definition(entry.key))
            : TextLink(label: "Add definition", href: PageLink.newDefinition(of: entry.key))
    }

    static func copyHref(of entry: FlagEntry, in view: CatalogueView) -> String? {
        canDefine(view) && entry.isDefined ? PageLink.newDefinition(copying: entry.key) : nil
    }
}
