#if VEXIL
    import Benchmark
    import Vexil

    enum VexilTheme: String, FlagValue {
        case light, dark
    }

    @FlagContainer
    struct VexilFlags {
        @Flag("A Boolean")
        var enabled = false

        @Flag("A number")
        var limit = 1

        @Flag("A text")
        var title = ""

        @Flag("A choice")
        var theme = VexilTheme.light
    }

    /// Registers the reads of flags that Vexil has in its dictionary; on Linux it has no store that lasts.
    func registerVexil() {
        let dictionary: FlagValueDictionary = [
            "enabled": .bool(true), "limit": .integer(5), "title": .string("List"), "theme": .string("dark"),
        ]
        let pole = FlagPole(hoist: VexilFlags.self, sources: [dictionary])
        guard pole.enabled, pole.limit == 5, pole.title == "List", pole.theme == .dark else {
            fatalError("Vexil reads other values")
        }
        Benchmark("Peer, Vexil: Boolean, 100,000 reads on 1 thread") { _ in
            for _ in 0..<100_000 { blackHole(pole.enabled) }
        }
        Benchmark("Peer, Vexil: integer, 100,000 reads on 1 thread") { _ in
            for _ in 0..<100_000 { blackHole(pole.limit) }
        }
        Benchmark("Peer, Vexil: text, 100,000 reads on 1 thread") { _ in
            for _ in 0..<100_000 { blackHole(pole.title) }
        }
        Benchmark("Peer, Vexil: choice, 100,000 reads on 1 thread") { _ in
            for _ in 0..<100_000 { blackHole(pole.theme) }
        }
    }
#endif
