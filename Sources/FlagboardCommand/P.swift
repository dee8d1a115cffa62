import ArgumentParser
import Flagboard
import ServiceLifecycle
@main struct P { static func main() {} }
