// Highlights in the rows what the search found: in names, key paths, groups, descriptions and texts, by the server's rule.

const NAME = "found";
const DESCRIPTION = ".flag-name > p";
const PARTS = `.flag-name > :is(.name, code, .groups), .value-text, ${DESCRIPTION}`;
/** A row of which only the description was found, which a list of one line a flag shows then. */
const DESCRIBED = "is-described";

/** The letters of a text without case, accents and width. */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();

/** A folded text, and for each unit of it where it begins and ends in the text itself. */
function letters(text) {
    if (/^[\0-\x7f]*$/.test(text)) return { folded: text.toLowerCase(), start: (place) => place, end: (place) => place + 1 };
    const [places, ends] = [[], []];
    let [whole, place] = ["", 0];
    for (const letter of text) {
        const plain = folded(letter);
        for (let unit = 0; unit < plain.length; unit += 1) {
            places.push(place);
            ends.push(place + letter.length);
        }
        whole += plain;
        place += letter.length;
    }
    return { folded: whole, start: (unit) => places[unit], end: (unit) => ends[unit] };
}

/** The text node and offset of a place in the text of an element, whose name may be cut in two. */
function point(nodes, place) {
    let left = place;
    for (const node of nodes) {
        if (left <= node.length) return [node, left];
        left -= node.length;
    }
    throw new RangeError(`The text ends before ${place}.`);
}

function* ranges(element, words) {
    const nodes = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const text = letters(nodes.map((node) => node.data).join(""));
    for (const word of words) {
        for (let unit = text.folded.indexOf(word); unit >= 0; unit = text.folded.indexOf(word, unit + word.length)) {
            const [startContainer, startOffset] = point(nodes, text.start(unit));
            const [endContainer, endOffset] = point(nodes, text.end(unit + word.length - 1));
            yield new StaticRange({ startContainer, startOffset, endContainer, endOffset });
        }
    }
}

function highlight() {
    const text = new URL(location.href).searchParams.get("q") ?? "";
    const words = [...new Set(text.split(/\s+/).map(folded))].filter((word) => word !== "");
    if (words.length === 0) {
        CSS.highlights.delete(NAME);
        for (const flag of document.querySelectorAll(`main .${DESCRIBED}`)) flag.classList.remove(DESCRIBED);
        return;
    }
    const found = [];
    for (const flag of document.querySelectorAll("main .flag")) {
        const parts = [...flag.querySelectorAll(PARTS)].filter((part) => {
            const places = [...ranges(part, words)];
            found.push(...places);
            return places.length > 0;
        });
        flag.classList.toggle(DESCRIBED, parts.length > 0 && parts.every((part) => part.matches(DESCRIPTION)));
    }
    CSS.highlights.set(NAME, new Highlight(...found));
}

let isDue = false;

/** Many rows may be placed at once. */
function soon() {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
        isDue = false;
        highlight();
    });
}

// Older browsers show the list without.
if (CSS.highlights) {
    for (const event of ["listing", "placed", "refreshed"]) document.addEventListener(`flagboard:${event}`, soon);
    highlight();
}
