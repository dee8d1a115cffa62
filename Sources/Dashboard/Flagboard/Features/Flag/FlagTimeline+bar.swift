import Foundation

extension FlagTimeline.Bar {
    /// The least share of a stretch drawn alone, 5 pixels of a wide window, to limit a bar to a few hundred pieces.
    private static let leastAlone = 0.005
    /// The least visible share.
    private static let leastSeen = 0.003

    init(
        _ label: String, _ provider: String, _ spans: [FlagTimeline.Span], from start: Date, to end: Date,
        _ fills: FlagTimeline.Fills
    ) {
        rangeLabel = label
        let length = max(end.timeIntervalSince(start), 0.001)
        var pieces: [Piece] = []
        var (shares, order): ([FlagTimeline.Held: Double], [FlagTimeline.Held]) = ([:], [])
        var changes = 0
        for span in spans {
            let isChange = span.isBegunByChange && start <= span.start && span.start <= end
            let from = max(span.start, start)
            // A change counts even if the next one has the same time.
            let to = max(min(span.end, end), isChange ? from : start)
            guard from < to || isChange else { continue }
            let share = to.timeIntervalSince(from) / length
            if shares[span.held] == nil { order.append(span.held) }
            shares[span.held, default: 0] += share
            changes += isChange ? 1 : 0
            let piece = Piece(from: from, to: to, share: share, held: [span.held], changes: isChange ? 1 : 0)
            // A stretch that no change began doesn't count as a change.
            if isChange, let last = pieces.last, last.changes > 0, last.share < Self.leastAlone, share < Self.leastAlone
            {
                pieces[pieces.count - 1].join(piece)
            } else {
                pieces.append(piece)
            }
        }
        segments = Self.segments(of: pieces, from: start, length: length, fills)
        let told = order.sorted { shares[$0, default: 0] > shares[$1, default: 0] }.prefix(8).map { held in
            "\(held.label) \(Self.words(shares[held, default: 0]))"
        }
        summary = "\(provider), \(label.lowercased()): \(Self.words(changes)); \(told.joined(separator: ", "))"
        // On a bar shorter than two days, dates without times say little.
        let isShort = end.timeIntervalSince(start) < 2 * 86_400
        startDay = isShort ? TimeText(start).text : HistoryDay.date(start)
        endDay = isShort ? TimeText(end).text : HistoryDay.date(end)
    }

    private struct Piece {
        let from: Date
        var to: Date
        var share: Double
        /// The first few distinct values.
        var held: [FlagTimeline.Held]
        var changes: Int
        var isJoined = false

        private static let mostTold = 4

        mutating func join(_ next: Piece) {
            (to, share, changes, isJoined) = (next.to, share + next.share, changes + next.changes, true)
            for held in next.held where self.held.count <= Self.mostTold && !self.held.contains(held) {
                self.held.append(held)
            }
        }

        var label: String {
            guard isJoined else { return held.first?.label ?? "" }
            let told = held.prefix(Self.mostTold).map(\.label).joined(separator: ", ")
            return "\(FlagTimeline.Bar.words(changes)): \(told)\(held.count > Self.mostTold ? " and others" : "")"
        }
    }

    private static func segments(
        of pieces: [Piece], from start: Date, length: Double, _ fills: FlagTimeline.Fills
    ) -> [FlagTimeline.Segment] {
        // Each piece begins where the previous one ends, so each time is formatted once.
        var border: (at: Date, text: String)?
        func text(_ time: Date) -> String {
            if let border, border.at == time { return border.text }
            let text = TimeText(time).text
            border = (time, text)
            return text
        }
        var drawnTo = 0.0
        return pieces.map { piece in
            // A piece too narrow to see covers part of its neighbour.
            let end = max(piece.to.timeIntervalSince(start) / length, leastSeen)
            let begin = min(max(piece.from.timeIntervalSince(start) / length, drawnTo), end - leastSeen)
            drawnTo = end
            return FlagTimeline.Segment(
                x: ChartScale.percent(begin), width: ChartScale.percent(end - begin),
                fill: piece.isJoined ? fills.several : fills.name(of: piece.held.first ?? .unknown),
                title: "\(piece.label) from \(text(piece.from)) to \(text(piece.to))")
        }
    }

    private static func words(_ changes: Int) -> String {
        switch changes {
        case 0: "no changes"
        case 1: "1 change"
        default: "\(changes) changes"
        }
    }

    private static func words(_ share: Double) -> String {
        let percent = Int((share * 100).rounded())
        return switch percent {
        case 100 where share < 1: "for almost all of the time"
        case 100: "all of the time"
        case 0: "for less than 1% of the time"
        default: "for \(percent)% of the time"
        }
    }
}
