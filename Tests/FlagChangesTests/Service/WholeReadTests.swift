import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

@Suite("How often a whole file is read as a property list")
struct WholeReadTests {
    let project: Project

    init() throws { project = try Project() }

    /// How often the served document, and those that it was made of, were read as a whole.
    private func wholeReads(_ service: ChangeService) async throws -> Int {
        let content = await service.served.workspace.values[0].content
        return try content.get().wholeReads
    }

    @Test("Once at the start: what changes make of the file, and what is shown after each, is not read again")
    func readsOnce() async throws {
        let service = try project.service()
        for limit in 1...9 {
            _ = try await service.apply(
                Change(key: .of("checkout", "limit"), action: .setText("\(limit)")), by: Project.author)
            let shown = try await service.catalogue()[.of("checkout", "limit")]
            #expect(shown?.resolution.effectiveValue == .integer(Int128(limit)))
        }
        _ = try await service.apply(Change(key: .of("checkout", "limit"), action: .reset), by: Project.author)
        #expect(try await service.catalogue()[.of("checkout", "limit")]?.resolution.isOverridden == false)
        #expect(try await wholeReads(service) == 1)
    }

    @Test("Once more after an edit by another program, and not for each look at it")
    func readsAnEditOnce() async throws {
        let service = try project.service()
        _ = try await service.apply(Change(key: .of("checkout", "limit"), action: .setText("9")), by: Project.author)
        try Data(try project.text().replacingOccurrences(of: "north", with: "south").utf8).write(to: project.file)
        _ = try await service.catalogue()
        let edited = await service.served.workspace.values[0]
        #expect(try edited.content.get().wholeReads == 1)
        _ = try await service.catalogue()
        _ = try await service.apply(Change(key: .of("checkout", "limit"), action: .setText("8")), by: Project.author)
        #expect(try await wholeReads(service) == 1)
        let south = try await service.catalogue()[.of("checkout", "region")]?.resolution.effectiveValue
        #expect(south == .string("south"))
    }
}
