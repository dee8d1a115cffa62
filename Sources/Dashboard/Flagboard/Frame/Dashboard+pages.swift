import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Hummingbird
import Logging

extension Dashboard {
    /// The flags of a moment, with what keeps them from being changed, for the sender of a request.
    func view(of overview: FlagOverview, _ context: DashboardContext) -> CatalogueView {
        CatalogueView(
            catalogue: overview.catalogue,
            status: ServiceStatus(overview, service, notices: passingNotices(context.visitor)),
            now: clock(),
            visitor: context.visitor, lastRow: overview.lastRow, mark: StatusFingerprint(overview),
            pendingRestart: overview.pendingRestart, unchanged: overview.unchanged, conflicts: overview.conflicts,
            renamed: renamed(at: overview, context),
            note: context.note, asked: context.asked, settings: context.settings,
            memory: memory(at: overview, context), knownTraits: knownTraits)
    }

    /// The key paths that flags got by a renaming; none where the history can't be read, which the page says.
    private func renamed(at overview: FlagOverview, _ context: DashboardContext) -> Set<FlagKeyPath> {
        guard let row = overview.lastRow else { return [] }
        do throws(HistoryStoreError) {
            return try renamedFlags.keys(through: row, in: service.history)
        } catch {
            context.logger.warning("Which flags were renamed can't be told: \(error)")
            return []
        }
    }

    /// What every page shows around its content.
    func frame(_ view: CatalogueView) -> PageFrame {
        let (searches, notice) = savedSearches()
        return PageFrame(
            fileName: service.files.values.lastPathComponent, providers: view.catalogue.providers,
            status: view.status, visitor: view.visitor, hasWebhooks: webhooks != nil, banner: banner,
            lastRow: view.lastRow,
            mark: view.mark, restart: RestartBanner(view), note: view.note,
            localName: service.files.localName, settings: view.settings,
            copies: view.asked.map {
                PageCopies(
                    $0.target(for: view.memory.lastVisit), at: address(of: $0.address),
                    file: commandsFile(for: view.visitor))
            },
            searches: searches.map {
                NavigationItem(label: $0.name, href: $0.href, isCurrent: $0.href == view.asked?.target)
            }, favourites: favouritesLink(view),
            ownChange: view.memory.ownChange.flatMap { OwnChange($0, in: view) },
            furtherPages: view.furtherPages
        ).adding(notice)
    }

    /// The frame as things are now, for the sender of a request.
    func frame(_ context: DashboardContext) async throws -> PageFrame {
        frame(view(of: try await service.overview(), context))
    }

    /// A page as a response.
    ///
    /// - Throws: ``RequestError``, 404, from a dashboard without pages.
    func respond(_ page: some PageModel, status: HTTPResponse.Status = .ok) throws -> Response {
        guard let pages else { throw RequestError.noPages }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try pages.current.templates.render(page))))
    }
}

/// The way to the pages on which admins define flags, for admins alone.
enum DefinitionLink {
    /// Whether the person who looks can define flags now.
    static func canDefine(_ view: CatalogueView) -> Bool {
        view.visitor?.isAdmin == true && view.status.block == nil && !view.status.definesInCode
    }

    /// The link on a flag's page; `nil` where it would be of no use.
    static func link(_ entry: FlagEntry, in view: CatalogueView) -> TextLink? {
        guard canDefine(view) else { return nil }
        return entry.isDefined
            ? TextLink(label: "Edit the definition", href: PageLink.definition(entry.key))
            : TextLink(label: "Define this flag", href: PageLink.newDefinition(of: entry.key))
    }
}
