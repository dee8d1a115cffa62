extension FlagEditor: PagePart {
    static let fields: PageFields<Self> = [
        "action": .of(\.action), "provider": .of(\.provider), "otherProviders": .of(\.otherProviders),
        "revision": .of(\.revision), "radios": .of(\.radios), "hasRadios": .of(\.hasRadios), "options": .of(\.options),
        "hasOptions": .of(\.hasOptions), "line": .of(\.line), "colour": .of(\.colour), "area": .of(\.area),
        "upload": .of(\.upload),
        "type": .of(\.type), "layout": .of(\.layout), "dataLimit": .of(\.dataLimit), "heldNote": .of(\.heldNote),
        "canBeEmpty": .of(\.canBeEmpty), "hint": .of(\.hint), "suggestions": .of(\.suggestions),
        "hasSuggestions": .of(\.hasSuggestions), "brokenNote": .of(\.brokenNote), "startNote": .of(\.startNote),
        "storedNote": .of(\.storedNote), "providerNote": .of(\.providerNote), "shadowNote": .of(\.shadowNote),
        "formProblem": .of(\.formProblem), "valueProblem": .of(\.valueProblem), "conflict": .of(\.conflict),
        "hasConflict": .of(\.hasConflict), "conflictAction": .of(\.conflictAction),
        "conflictSkipsChecks": .of(\.conflictSkipsChecks), "conflictNote": .of(\.conflictNote),
        "discardHref": .of(\.discardHref), "describedBy": .of(\.describedBy), "reason": .of(\.reason),
        "reasonProblem": .of(\.reasonProblem), "reasonDescribedBy": .of(\.reasonDescribedBy),
        "reasonLimit": .of(\.reasonLimit), "resetLabel": .of(\.resetLabel), "resetNote": .of(\.resetNote),
        "isResetPossible": .of(\.isResetPossible), "asksBeforeReset": .of(\.asksBeforeReset),
        "needsRestart": .of(\.needsRestart),
    ]
}

extension FlagEditor.AreaField: PagePart {
    static let fields: PageFields<Self> = [
        "content": .of(\.content), "rows": .of(\.rows), "direction": .of(\.direction),
    ]
}

extension FlagEditor.Upload: PagePart {
    static let fields: PageFields<Self> = [
        "hint": .of(\.hint), "isRequired": .of(\.isRequired), "problem": .of(\.problem),
        "describedBy": .of(\.describedBy),
    ]
}
