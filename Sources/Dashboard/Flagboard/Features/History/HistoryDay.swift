import FlagHistory
import Foundation

/// The changes of one day, in the time zone of the page.
struct HistoryDay: Hashable, PagePart {
    /// What ties the heading to the list.
    let headingID: String
    /// `Today`, `Yesterday`, or the date.
    let heading: String
    /// The date as machines read it: `2026-11-21`.
    let date: String
    /// The date, where the heading is a word.
    let shownDate: String?
    let blocks: [HistoryBlock]

    /// Parts changes by day, and groups those that were applied together.
    ///
    /// - Returns: The days, newest first; a day that the order by number comes back to is there again.
    static func days(
        of page: HistoryPage, now: Date, isOneBatch: Bool, notes: [HistoryRecord.ID: [HistoryRecord]] = [:],
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
        // The middle of the day before: a day on which a clock is set has another length.
        let yesterday = (DayReader.start(of: Self.date(now), in: PageZone.current) ?? now).addingTimeInterval(-43_200)
        let seen = SeenLine.first(of: page, in: view)
        let names = [Self.date(now): "Today", Self.date(yesterday): "Yesterday"]
        return days.enumerated().map { place, day in
            HistoryDay(
                headingID: "day-\(place)", heading: names[day.date] ?? day.date, date: day.date,
                shownDate: names[day.date] == nil ? nil : day.date,
                blocks: HistoryBlock.blocks(
                    of: day.records, isOneBatch: isOneBatch,
                    mayGoOn: (page.hasNewer && place == 0, page.hasOlder && place == days.count - 1), notes: notes,
                    seen: seen,
                    in: view))
        }
    }

    /// The day of a time.
    static func date(_ time: Date) -> String { TimeBins.day(time, in: PageZone.current) }
}

/// A change, or several that were applied together.
struct HistoryBlock: Hashable, PagePart {
    /// What stands above it, where it is the first that was seen on the last visit, below others that were not.
    let seen: SeenLine?
    let row: HistoryRow?
    let together: Together?

    /// Changes that were applied together.
    struct Together: Hashable, PagePart {
        let batchActor: String
        /// What was done to how many, as the end of a sentence.
        let deed: String
        /// Which flag was renamed, where that is all of it.
        let renaming: Renaming?
        /// The reason of all, where it is one.
        let batchReason: String?
        let batchHref: String
        let rows: [HistoryRow]
    }

    /// A flag that was given another key path.
    struct Renaming: Hashable, PagePart {
        let from: String
        let to: String
        /// The page of the flag at its new key path.
        let toHref: String
    }

    /// Groups neighbours of one batch.
    ///
    /// - Parameter seen: What stands above the first that was seen on the last visit, and which one that is.
    static func blocks(
        of records: [HistoryRecord], isOneBatch: Bool, mayGoOn: (newer: Bool, older: Bool),
        notes: [HistoryRecord.ID: [HistoryRecord]] = [:], seen: (line: SeenLine, change: Int64)? = nil,
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
            return HistoryBlock(seen: seen, row: nil, together: Together(group, isCut: isCut, notes: notes, in: view))
        }
    }
}

extension HistoryBlock.Together {
    init(
        _ records: [HistoryRecord], isCut: Bool, notes: [HistoryRecord.ID: [HistoryRecord]] = [:],
        in view: CatalogueView? = nil
    ) {
        let event = records[0].event
        let reasons = Set(records.map(\.event.reason))
        let flags = Set(records.map(\.event.key)).count
        let number = (isCut ? "at least " : "") + (flags == 1 ? "1 flag" : "\(flags) flags")
        batchActor = event.origin == .external ? "Somebody" : event.actor
        let tried = records.allSatisfy { $0.event.kind == .denied }
        let together = flags == 1 ? "" : " together"
        let verb = tried ? "tried to change" : event.origin == .external ? "edited" : "changed"
        let place = event.origin == .external && !tried ? " outside Flagboard" : ""
        let explains = records.allSatisfy { $0.event.kind == .note }
        deed =
            explains
            ? "added a reason to \(isCut ? "at least " : "")\(records.count) changes"
            : "\(verb) \(number)\(place)\(together)"
        renaming = isCut ? nil : HistoryBlock.Renaming(records)
        batchReason = reasons.count == 1 && !event.reason.isEmpty ? event.reason : nil
        batchHref = PageLink.batch(event.batch)
        let partners = RenamedPartners(records)
        rows = records.map {
            HistoryRow($0, showsReason: reasons.count > 1, partner: partners[$0], notes: notes[$0.id] ?? [], in: view)
        }
    }
}

extension HistoryBlock.Renaming {
    /// Finds what was renamed; `nil` where the changes are of any other flag, too.
    fileprivate init?(_ records: [HistoryRecord]) {
        guard let (defined, removed) = zip(records, records.dropFirst()).first(where: { $0.isRenaming(of: $1) }),
            records.allSatisfy({ [defined.event.key, removed.event.key].contains($0.event.key) })
        else { return nil }
        from = removed.event.key.shownText
        to = defined.event.key.shownText
        toHref = PageLink.flag(defined.event.key)
    }
}
