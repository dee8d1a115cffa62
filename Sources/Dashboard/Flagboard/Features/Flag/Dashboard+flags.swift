import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// The rest of the path, or else the field `key`.
    static func key(in request: Request) -> FlagKeyPath? {
        let path = request.uri.path
        guard Route.at(path) == .flagByKey else { return Route.flag.key(in: path) }
        switch Result(catching: { try FormFields(request.uri.query ?? "") }) {
        case .success(let fields): return fields["key"].flatMap { FlagKeyPath(text: $0) }
        case .failure: return nil
        }
    }

    func flagPage(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try key(of: request)
        let query = try FormFields(request.uri.query ?? "")
        let overview = try await service.overview()
        let view = view(of: overview, context)
        guard let entry = view.catalogue[key] else { throw try absence(of: key, overview) }
        return try respond(
            FlagPage(
                frame: frame(view), entry: entry, view: view, provider: query["provider"],
                suggestion: query[Suggestion.query], past: try past(of: entry, overview),
                notice: savedNotices.take(query["saved"], about: key), uses: uses(of: entry, overview),
                requests: terminalRequests(request, view)))
    }

    /// Finds out whether it was renamed, was removed, or never existed.
    private func absence(of key: FlagKeyPath, _ overview: FlagOverview) throws -> any Error {
        let renames = RenameHistory(history: service.history, hiddenKeys: overview.hiddenKeys)
        guard let later = try renames.laterKey(of: key), overview.catalogue[later] != nil else {
            return try removal(of: key, overview) ?? overview.flags.absence(of: key)
        }
        return RequestError(
            .notFound, title: "Renamed", message: "\(key) was renamed to \(later).",
            remedy: "Open it by its new key path.", link: TextLink(label: later.shownText, href: PageLink.flag(later)))
    }

    /// `nil` if the history has none of its changes, or if files can't be read.
    private func removal(of key: FlagKeyPath, _ overview: FlagOverview) throws -> RequestError? {
        let newest = try service.history.newest(HistoryQuery(key: key, hiddenKeys: overview.hiddenKeys, limit: 20))
        let isKnown = newest.contains { $0.event.key == key && $0.event.type != nil && $0.event.kind != .denied }
        guard isKnown, overview.fileProblems.isEmpty else { return nil }
        return RequestError(
            .notFound, title: "Gone", message: "The flag \(key) no longer exists.",
            remedy: "Its history shows what happened to it. You can restore it there.",
            link: TextLink(label: "the history of \(key.shownText)", href: PageLink.history(of: key)))
    }

    private func past(of entry: FlagEntry, _ overview: FlagOverview) throws -> FlagHistorySummary {
        let (history, hiddenKeys) = (service.history, overview.hiddenKeys)
        let query = HistoryQuery(key: entry.key, hiddenKeys: hiddenKeys, limit: FlagPage.historyLimit)
        return try history.atOneMoment { () throws(HistoryStoreError) in
            let (page, steps) = try history.pageWithSteps(query, stepLimit: FlagTimeline.rowLimit)
            return FlagHistorySummary(
                page: page, steps: steps, notes: try history.notes(on: page.records, hiddenKeys: hiddenKeys),
                historyBegin: try history.begin(), lockedBy: try lockRow(of: entry, overview),
                renaming: try RenameHistory(history: history, hiddenKeys: hiddenKeys).renaming(to: entry.key, page))
        }
    }

    /// Sends data as a type that browsers only save.
    func flagData(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let text = try FormFields(request.uri.query ?? "")["key"]
        guard let text, let key = FlagKeyPath(text: text) else {
            throw RequestError.notFound("flag at \(request.uri)")
        }
        let flags = try await service.shownFlags()
        guard let entry = flags.catalogue[key] else { throw flags.absence(of: key) }
        guard case .data(let data) = entry.resolution.effectiveValue else {
            throw RequestError.notFound("data in \(key)")
        }
        let name = DownloadName.plain(key.components.last ?? "", or: "data")
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name).bin\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    func editFlag(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let key = try key(of: request)
        // Only a flag of data takes a file. Any other form is read before the flags, so that every error shows its
        // input.
        let known = MultipartForm.isSent(with: request) ? try await service.shownFlags() : nil
        var edit = try await FlagRequest(
            request, takesFile: known?.catalogue[key]?.definition.type.rules.isData == true)
        edit.provider = edit.provider.map(service.files.providerName)
        // The page of a refused form has the flag's address, so its form names the list that it shows.
        let list = (FlagFilter(referringTo: request) ?? edit.back.flatMap(FlagFilter.init(listAt:)))?.closed
        do {
            let flags = if let known { known } else { try await service.shownFlags() }
            if edit.action == .undo { edit = try undoing(edit, key, flags) }
            if case .settle = edit.action {
                return try show(SettlementPreview(change: edit.change(of: key, in: flags.catalogue)), context)
            }
            let change = try edit.change(of: key, in: flags.catalogue)
            let author = try context.author(
                edit.isUndo ? .revert : .form, confirming: edit.confirmation.environments)
            do throws(ChangeError) {
                let outcome = try await service.apply(change, by: author)
                return redirect(to: key, after: outcome, edit, flags.catalogue, list: list)
            } catch {
                // A button alone can't confirm: the preview has the field.
                guard edit.isUndo, error.reason == .confirmationRequired else { throw error }
                return try show(UndoPreview(change: change, deed: edit.deed, back: edit.back ?? list?.href), context)
            }
        } catch {
            return try await refusedForm(key, edit, error, request, context, list: list)
        }
    }

    private func undoing(_ edit: FlagRequest, _ key: FlagKeyPath, _ flags: ShownFlags) throws -> FlagRequest {
        let record = try edit.change.flatMap { Int64($0) }.flatMap {
            try service.history.record($0, hiddenKeys: flags.hiddenKeys)
        }
        guard let record, record.event.key == key, let undoing = edit.undoing(record, flags.catalogue[key]) else {
            throw FlagRequest.noSuchChange(edit.change)
        }
        return undoing
    }

    private func redirect(
        to key: FlagKeyPath, after outcome: ChangeOutcome, _ edit: FlagRequest, _ catalogue: FlagCatalogue,
        list: FlagFilter?
    ) -> Response {
        let back = edit.back ?? list?.href
        let usual = catalogue.usualProvider(for: key)?.name
        let provider = edit.provider ?? usual ?? ""
        let notice = SavedNotice(SavedNotice.Outcome(edit.action, outcome), provider, outcome)
        let isGone = edit.action == .reset && catalogue[key]?.isKnown(besides: provider) == false
        let page = PageLink.flag(key, provider: provider == usual ? nil : provider)
        let target = back ?? (isGone ? PageLink.flags : page)
        let address = PageLink.adding(
            "saved", savedNotices.add(notice, about: key), to: String(target.prefix { $0 != "#" }))
        let anchor = back == nil || isGone ? "" : "#\(ReturnToList.anchor)"
        return Response(status: .seeOther, headers: [.location: address + anchor])
    }

    private func refusedForm(
        _ key: FlagKeyPath, _ edit: FlagRequest, _ error: any Error, _ request: Request, _ context: DashboardContext,
        list: FlagFilter?
    ) async throws -> Response {
        do {
            let overview = try await service.overview()
            let view = view(of: overview, context)
            guard let entry = view.catalogue[key] else { throw try absence(of: key, overview) }
            let refusal = try FlagFormProblem(error, edit, entry, now: view.now)
            var response: Response
            if let list {
                response = try respond(
                    try await listPage(list.opening(key), overview, view, context, form: refusal.form),
                    status: refusal.status)
            } else {
                let page = FlagPage(
                    frame: frame(view), entry: entry, view: view, form: refusal.form,
                    past: try past(of: entry, overview), uses: uses(of: entry, overview),
                    requests: terminalRequests(request, view))
                response = try respond(page, status: refusal.status)
            }
            // After no-store, going back from the next page would lose the form.
            response.headers[.cacheControl] = "private, no-cache"
            return response
        } catch let other {
            let isAbsent = (other as? ChangeError)?.reason == .unknown || other is RequestError
            // An undo keeps its own error, since a removed flag's change can be undone. A mistake in the form needs the
            // flag's page, so without it the absence is reported.
            throw RefusedForm(
                cause: error is FormError<FlagForm.Place> || isAbsent && edit.change == nil ? other : error, key: key,
                typed: TypedValue.all(value: edit.typedValue, reason: edit.reason))
        }
    }

    /// The change that locked the flag, if it is among the newest 500.
    private func lockRow(
        of entry: FlagEntry, _ overview: FlagOverview
    ) throws(HistoryStoreError) -> HistoryRecord? {
        guard entry.definition.metadata.isLocked else { return nil }
        let newest = HistoryQuery(key: entry.key, hiddenKeys: overview.hiddenKeys, limit: 500)
        return try service.history.newest(newest).first(where: \.setsLock)
    }

    private func key(of request: Request) throws -> FlagKeyPath {
        guard let key = Self.key(in: request) else {
            throw RequestError.notFound("flag at \(request.uri.path)")
        }
        return key
    }
}

extension FlagEntry {
    fileprivate func isKnown(besides provider: String) -> Bool {
        isDefined || resolution.readings.contains { $0.provider != provider && $0.answer != .absent }
    }
}
