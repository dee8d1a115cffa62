"""What one writes first, and what the compiler says of it: nothing, or what to write instead."""

import pytest
from code_blocks import type_check
from harness import ROOT

BEGINNING = """\
import FeatureFlags
import FeatureFlagsXML
import Foundation

enum Plain: String { case one }
enum Mode: String, CaseIterable, FlagProtocol { case never, always }
struct Group: FlagCollectionProtocol { @Flag("A number") var number = 1 }
struct Declared: FlagCollectionProtocol {
    @Flag("A number") var number = 1
    @Flag("Hidden by the loader's member") var changes = false
    @FlagCollection("A group") var group: Group
}
let memory = InMemoryProvider()
let flags = FlagsLoader(Declared.self, providers: [memory])
let url = URL(fileURLWithPath: "flags.manifest.xml")
"""

NO_DEFAULT = 'a flag needs a default: @Flag("…") var limit = 3, or @Flag(default: 3, description: "…")'

DECLARATIONS = {
    '@Flag("Pay in one click") var quick = false': None,
    '@Flag(description: "Pay in one click") var quick = false': None,
    "@Flag var quick = false": None,
    "@Flag(default: false) var quick: Bool": None,
    '@Flag("Pay in one click") var quick: Bool': None,
    '@Flag("A text") var text: String': None,
    '@Flag("A text") var text: String?': None,
    '@Flag("A mode") var mode: Mode?': None,
    '@Flag("A mode") var mode = Mode.always': None,
    '@Flag("A number") var number: Int': NO_DEFAULT,
    '@Flag(description: "A number") var number: Int': NO_DEFAULT,
    '@Flag(key: "n", description: "A number") var number: Int': NO_DEFAULT,
    '@Flag("A mode") var mode: Mode': NO_DEFAULT,
    '@Flag("A number", default: 3) var number: Int': None,
    '@Flag("A number", key: "n", default: 3, suggestions: [1, 3]) var number: Int': None,
    '@Flag("A switch", dynamicDefault: { true }) var quick: Bool': None,
    '@Flag(key: "q") var quick: Bool': None,
    '@Flag(key: "n") var number: Int?': None,
    '@Flag("A switch", key: "q") var quick: Bool': None,
    '@Flag("A number", key: "n") var number: Int?': None,
    '@Flag("A switch", keyPath: ["a", "b"]) var quick: Bool': None,
    '@Flag(provider: "Team") var quick: Bool': None,
    '@Flag("A text", suggestions: ["a"]) var text: String': None,
    '@Flag("A number", key: "n") var number: Int': NO_DEFAULT,
    "@Flag var quick: Bool": None,
    "@Flag var text: String": None,
    "@Flag var mode: Mode?": None,
    "@Flag var number: Int": NO_DEFAULT,
    "@Flag() var mode: Mode": NO_DEFAULT,
    "var number: Int": "type 'Snippet' does not conform to protocol 'FlagCollectionProtocol'",
    '@Flag(default: 1, "A number") var number: Int': 'write @Flag(default: 3, description: "…"), or @Flag("…") var limit = 3',
    '@Flag("Plain") var plain = Plain.one': "generic struct 'Flag' requires that 'Plain' conform to 'FlagProtocol'",
    '@Flag("A number") let number = 1': "property wrapper can only be applied to a 'var'",
    '@FlagCollection("A group") var group: Group': None,
    '@FlagCollection("A group") var group = Group()': None,
    "@FlagCollection var group: Group": None,
    '@FlagCollection(key: "g") var group: Group': None,
    "@FlagCollection(keyConfiguration: .skip) var group: Group": None,
    '@Flag("x") var x = FlagMetadata(description: "", isLocked: true, isInternal: true).isLocked':
        "argument 'isInternal' must precede argument 'isLocked'",
}
"""A property of a collection, and a part of the compiler's first error; none where it compiles."""

STATEMENTS = {
    "try flags.$number.set(3)": None,
    "try flags.$number.set(3, in: memory)": None,
    "for await number in flags.$number { print(number) }": None,
    "for await group in flags.$group { print(group.number) }": None,
    "try flags.writeManifest(to: url)": None,
    "var snapshot = flags.snapshot(); snapshot.group.number += 1": None,
    "flags.number = 3": "cannot assign through dynamic lookup property: 'number' is a get-only property",
    "try flags.number.set(3)": "value of type 'Int' has no member 'set'",
    "for await number in flags.number { print(number) }": "for-in loop requires 'Int' to conform to 'AsyncSequence'",
    "let isOn: Bool = flags.changes": "cannot convert value of type 'FlagChangeStream' to specified type 'Bool'",
    "var snapshot = flags.snapshot(); snapshot.number = true": "cannot assign value of type 'Bool' to type 'Int'",
    "_ = FlagsLoader(Declared.self, providers: memory)": "'[any FlagsProviderConvertible]'",
    "print(flags.group.number.keyPath)": "referencing property 'keyPath' requires wrapper 'Flag<Int>'",
}


def first_error(code, folder):
    file = folder / "Snippet.swift"
    file.write_text(BEGINNING + code)
    return next(iter(type_check([file], folder)), None)


def check(code, wanted, folder):
    error = first_error(code, folder)
    assert (error is None) == (wanted is None), error
    assert wanted is None or wanted in error


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_a_declaration_compiles_or_is_refused_with_what_to_write(declaration, tmp_path):
    check(f"struct Snippet: FlagCollectionProtocol {{ {declaration} }}\n", DECLARATIONS[declaration], tmp_path)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_use_compiles_or_is_refused_with_the_reason(statement, tmp_path):
    check(f"func run() async throws {{ {statement} }}\n", STATEMENTS[statement], tmp_path)


def test_the_article_lists_each_message_of_the_library(tmp_path):
    article = (ROOT / "Sources/Library/FeatureFlags/FeatureFlags.docc/IfItDoesNotCompile.md").read_text()
    messages = {wanted for wanted in [*DECLARATIONS.values(), *STATEMENTS.values()] if wanted}
    assert [message for message in sorted(messages) if message not in article] == []
