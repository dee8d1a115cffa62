import Testing

@testable import FeatureFlagsXML

@Suite("Lists that share what stayed")
struct RunListTests {
    @Test(
        "A list of any length holds what an array does, and tells where another one may differ",
        arguments: [
            0, 1, 255, 256, 257, 512, 600,
        ])
    func lengths(count: Int) {
        let list = RunList(Array(0..<count))
        #expect(Array(list) == Array(0..<count))
        #expect(list.places(notSharedWith: list) == [])
        #expect(list.places(notSharedWith: RunList(Array(0...count))) == nil)
        for place in [0, 255, 256, count - 1] where list.indices.contains(place) {
            var other = list
            other[place] = -1
            #expect(list[place] == place && other[place] == -1)
            let run = place / 256 * 256
            #expect(list.places(notSharedWith: other) == Array(run..<min(run + 256, count)))
        }
    }
}
