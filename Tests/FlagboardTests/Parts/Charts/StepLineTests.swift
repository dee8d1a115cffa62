import Foundation
import Testing

@testable import Flagboard

@Suite("A number over time as a line of steps")
struct StepLineTests {
    private static let start = Samples.now

    private static func stretch(_ number: Double?, _ from: Double, _ to: Double) -> StepLine.Stretch {
        StepLine.Stretch(
            number: number, start: start.addingTimeInterval(from), end: start.addingTimeInterval(to))
    }

    private static let scale = ChartScale(start: start, end: start.addingTimeInterval(100))

    @Test("The line stays at a number until the next one, and stands the higher the greater that is")
    func steps() throws {
        let line = try #require(
            StepLine([Self.stretch(0, 0, 50), Self.stretch(10, 50, 75), Self.stretch(5, 75, 100)], on: Self.scale))
        #expect(line.path == "M0 94H500V6H750V50H1000")
        #expect(line.least == 0 && line.greatest == 10)
    }

    @Test("Where there is no number, the line breaks off")
    func gaps() throws {
        let line = try #require(
            StepLine([Self.stretch(1, 0, 20), Self.stretch(nil, 20, 60), Self.stretch(2, 60, 100)], on: Self.scale))
        #expect(line.path == "M0 94H200M600 6H1000")
    }

    @Test("A number that stays the same is a line in the middle")
    func flat() throws {
        let line = try #require(StepLine([Self.stretch(7, 0, 60), Self.stretch(7, 60, 100)], on: Self.scale))
        #expect(line.path == "M0 50H600H1000")
    }

    @Test("The greatest numbers that there are have their places, and what has none makes no line")
    func extremes() throws {
        let great = Double.greatestFiniteMagnitude
        let line = try #require(StepLine([Self.stretch(-great, 0, 50), Self.stretch(great, 50, 100)], on: Self.scale))
        #expect(line.path == "M0 94H500V6H1000")
        #expect(StepLine([Self.stretch(1, 0, 50), Self.stretch(.infinity, 50, 100)], on: Self.scale) == nil)
        #expect(StepLine([Self.stretch(.nan, 0, 100)], on: Self.scale) == nil)
        #expect(StepLine([Self.stretch(nil, 0, 100)], on: Self.scale) == nil)
        #expect(StepLine([], on: Self.scale) == nil)
    }

    @Test("Times outside of the scale stand on its edges, and those of no length on one of them")
    func edges() {
        #expect(Self.scale.place(of: Self.start.addingTimeInterval(-5)) == "0.00%")
        #expect(Self.scale.place(of: Self.start.addingTimeInterval(12.5)) == "12.50%")
        #expect(Self.scale.place(of: Self.start.addingTimeInterval(500)) == "100.00%")
        let none = ChartScale(start: Self.start, end: Self.start)
        #expect(none.place(of: Self.start) == "100.00%" && none.place(of: .distantPast) == "0.00%")
    }
}
