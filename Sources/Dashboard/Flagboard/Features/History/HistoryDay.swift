import FlagHistory
import Foundation

/// A day in the page's time zone.
struct HistoryDay: Hashable, PagePart {
    let headingID: String
    /// `Today`, `Yesterday`, or the date.
    let heading: String
    /// For machines.
    let date: String
    /// Set if the heading is a word.
    let shownDate: String?
    let blocks: [HistoryBlock]

    /// Newest first.
    ///
    /// Rows are ordered by number, so if a clock was set back, a day may appear twice.
    static func days(
        of page: HistoryPage, now: Date, isOneBatch: Bool, opensBatches: Bool = false,
        notes: [HistoryRecord.ID: [HistoryRecord]] = [:],
        in view: CatalogueView? = nil
    ) -> [HistoryDay] {
        var days: [(date: String, records: [HistoryRecord])] = []
        for record in page.records {
            let date = Self.date(record.event.at)
            if days.last?.date == date {
                days[days.count - 1].records.append(record)
            } else {
                days.append((date, [record]))
            }
        }
        // Roughly yesterday's noon, whatever length a change of the clocks gives a day.
        let yesterday = (DayReader.start(of: Self.date(now), in: PageZone.current) ?? now).addingTimeInterval(-43_200)
        let seen = SeenLine.first(of: page, in: view)
        let names = [Self.date(now): "Today", Self.date(yesterday): "Yesterday"]
        return days.enumerated().map { place, day in
            HistoryDay(
                headingID: "day-\(place)", heading: names[day.date] ?? day.date, date: day.date,
                shownDate: names[day.date] == nil ? nil : day.date,
                blocks: HistoryBlock.blocks(
                    of: day.records, isOneBatch: isOneBatch, opensBatches: opensBatches,
                    mayGoOn: (page.hasNewer && place == 0, page.hasOlder && place == days.count - 1), notes: notes,
                    seen: seen,
                    in: view))
        }
    }

    static func date(_ time: Date) -> String { TimeBins.day(time, in: PageZone.current) }
}

/// A change, or neighbours of one batch.
struct HistoryBlock: Hashable, PagePart {
    /// The line above the first change that was seen on the previous visit.
    let seen: SeenLine?
    let row: HistoryRow?
    let together: Together?

    struct Together: Hashable, PagePart {
        let clock: String
        let time: TimeText
        let stamp: String
        let mark: ActorMark?
        let changeHref: String
        let batchActor: String
        let batchWords: BatchWords
        let renaming: Renaming?
        /// Set if all changes have the same.
        let batchReason: String?
        let batchHref: String
        let origin: String?
        /// Set if all changes have the same.
        let state: HistoryRow.State?
        /// `nil` if this viewer can't revert any.
        let revertAction: String?
        /// A search found the rows.
        let isOpen: Bool
        let rows: [HistoryRow]
    }

    struct Renaming: Hashable, PagePart {
        let from: String
        let to: String
    }

    static func blocks(
        of records: [HistoryRecord], isOneBatch: Bool, opensBatches: Bool = false,
        mayGoOn: (newer: Bool, older: Bool), notes: [HistoryRecord.ID: [HistoryRecord]] = [:],
        seen: (line: SeenLine, change: Int64)? = nil,
        in view: CatalogueView? = nil
    ) -> [HistoryBlock] {
        var groups: [[HistoryRecord]] = []
        for record in records {
            if !isOneBatch, groups.last?.last?.event.batch == record.event.batch {
                groups[groups.count - 1].append(record)
            } else {
                groups.append([record])
            }
        }
        let partners = RenamedPartners(records)
        return groups.enumerated().map { place, group in
            let seen = seen?.change == group[0].id ? seen?.line : nil
            guard group.count > 1 else {
                let row = HistoryRow(
                    group[0], partner: partners[group[0]], notes: notes[group[0].id] ?? [], in: view)
                return HistoryBlock(seen: seen, row: row, together: nil)
            }
            let isCut = mayGoOn.newer && place == 0 || mayGoOn.older && place == groups.count - 1
            return HistoryBlock(
                seen: seen, row: nil,
                together: Together(group, isCut: isCut, isOpen: opensBatches, notes: notes, in: view))
        }
    }
}

extension HistoryBlock.Together {
    init(
        _ records: [HistoryRecord], isCut: Bool, isOpen: Bool = false, notes: [HistoryRecord.ID: [HistoryRecord]] = [:],
        in view: CatalogueView? = nil
    ) {
        let event = records[0].event
        let reasons = Set(records.map(\.event.reason))
        let partners = RenamedPartners(records)
        rows = records.map {
            HistoryRow(
                $0, showsReason: reasons.count > 1, partner: partners[$0], notes: notes[$0.id] ?? [], in: view,
                at: .batch)
        }
        (clock, time, stamp) = (rows[0].clock, rows[0].time, rows[0].stamp)
        mark = ActorMark(event)
        changeHref = rows[0].changeHref
        batchActor = event.actorName
        batchWords = BatchWords(records, isCut: isCut, in: view)
        renaming = isCut ? nil : HistoryBlock.Renaming(records)
        batchReason = reasons.count == 1 && !event.reason.isEmpty ? event.reason : nil
        batchHref = PageLink.batch(event.batch)
        origin = event.origin.note
        state = Set(rows.map(\.state)).count == 1 ? rows[0].state : nil
        revertAction = rows.lazy.compactMap(\.revertAction).first
        self.isOpen = isOpen
    }
}

extension HistoryBlock.Renaming {
    /// `nil` if the changes concern any other flag.
    fileprivate init?(_ records: [HistoryRecord]) {
        guard let (defined, removed) = zip(records, records.dropFirst()).first(where: { $0.isRenaming(of: $1) }),
            records.allSatisfy({ [defined.event.key, removed.event.key].contains($0.event.key) })
        else { return nil }
        from = removed.event.key.shownText
        to = defined.event.key.shownText
    }
}
