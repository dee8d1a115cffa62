// Folds and unfolds all groups of the list, and remembers for as long as the tab lives which ones are folded.

const listing = () => document.querySelector("main .listing[data-file]");
const groups = () => [...(listing()?.querySelectorAll("details[data-group]") ?? [])];
const place = () => `flagboard:folded:${listing().dataset.file}`;

/** A browser may refuse to store anything; then nothing is remembered. */
function remembered() {
    try {
        return new Set(JSON.parse(sessionStorage.getItem(place()) ?? "[]"));
    } catch {
        return new Set();
    }
}

function remember() {
    const folded = remembered();
    for (const group of groups()) {
        if (group.open) folded.delete(group.dataset.group);
        else folded.add(group.dataset.group);
    }
    try {
        sessionStorage.setItem(place(), JSON.stringify([...folded]));
    } catch {
        return;
    }
}

/** A filtered list shows every flag that it found. */
const isNarrowed = () => "filtered" in listing().dataset;

function button(label, isOpen) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "button button-small";
    element.textContent = label;
    element.addEventListener("click", () => {
        for (const group of groups()) group.open = isOpen;
    });
    return element;
}

const buttons = document.createElement("div");
buttons.className = "folding";
buttons.append(button("Collapse all", false), button("Expand all", true));

function begin() {
    if (listing() === null) return;
    const all = groups();
    if (all.length === 0) {
        buttons.remove();
        return;
    }
    document.querySelector("main .list-look > .panel-menu").append(buttons);
    if (!isNarrowed()) {
        const folded = remembered();
        for (const group of all) group.open = !folded.has(group.dataset.group) || group.querySelector(".opened") !== null;
    }
}

document.addEventListener(
    "toggle",
    (event) => {
        if (event.target.matches?.("details[data-group]") && listing() !== null && !isNarrowed()) remember();
    },
    true,
);
document.addEventListener("flagboard:listing", begin);
document.addEventListener("flagboard:refreshed", () => {
    if (!buttons.isConnected) begin();
});
begin();
