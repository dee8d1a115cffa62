// Searches as you type: the address that the form would lead to is fetched, and what it lists takes the place of the list.
//
// The address bar always holds that address, so that a reload, a bookmark and the form itself show the same.

import "./found.js";

const pause = 180;

/** What leads on from the first row of the list. */
const firstRow = () => document.querySelector("main :is(.flag .name, .matrix .name)");

/** Keeps what was typed, the caret and the focus, since the form itself stays. */
class Search {
    #form;
    #timer;
    #request;
    #shown = new URL(location.href).search;
    /** Whether the first row is to have the focus once what is searched for is listed. */
    #isLeading = false;

    constructor(form) {
        this.#form = form;
        form.addEventListener("input", (event) => {
            if (event.target.name === "q" && !event.isComposing) this.#soon(pause);
        });
        form.addEventListener("keydown", (event) => {
            if (event.target.name === "q" && !event.isComposing) this.#key(event);
        });
        form.addEventListener("compositionend", () => this.#soon(pause));
        // The order is chosen in a menu beside the form.
        document.addEventListener("change", (event) => {
            if (event.target.name === "sort" && event.target.form === form) this.#soon(0);
        });
        form.addEventListener("submit", () => this.#stop());
        addEventListener("pagehide", () => this.#stop());
    }

    get #status() {
        return document.querySelector("[data-count]");
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#request?.abort();
    }

    #soon(delay) {
        this.#stop();
        this.#timer = setTimeout(() => this.#search(), delay);
    }

    /** Down and Enter lead to the first row of what is found; Escape leaves the field, and what was typed in it. */
    #key(event) {
        if (!["ArrowDown", "Enter", "Escape"].includes(event.key)) return;
        event.preventDefault();
        if (event.key === "Escape") return event.target.blur();
        if (this.#address.search === this.#shown) return firstRow()?.focus();
        this.#isLeading = true;
        this.#soon(0);
    }

    /** The address that the form leads to, without the fields that are empty. */
    get #address() {
        const address = new URL(this.#form.action);
        for (const [name, value] of new FormData(this.#form)) {
            if (value.trim() !== "") address.searchParams.append(name, value);
        }
        return address;
    }

    async #search() {
        const address = this.#address;
        if (address.search === this.#shown) return;
        const request = new AbortController();
        this.#request = request;
        try {
            const answer = await fetch(address, { signal: request.signal, headers: { Accept: "text/html" } });
            if (!answer.ok || answer.redirected) throw new Error(`The list was answered with ${answer.status}.`);
            const text = await answer.text();
            if (request.signal.aborted) return;
            this.#show(new DOMParser().parseFromString(text, "text/html"), address);
        } catch (error) {
            if (error.name === "AbortError" || request.signal.aborted) return;
            this.#status.textContent = "Can’t update the list. Reload the page.";
        }
    }

    #show(found, address) {
        const count = found.querySelector("[data-count]");
        const pairs = [...document.querySelectorAll("[data-swap]")].map((part) => [
            part,
            found.querySelector(`[data-swap="${part.dataset.swap}"]`),
        ]);
        if (count === null || pairs.some(([, other]) => other === null)) throw new Error("The response has no list.");
        for (const [part, other] of pairs) part.replaceChildren(...other.childNodes);
        this.#status.textContent = count.textContent;
        this.#shown = address.search;
        history.replaceState(history.state, "", address);
        document.dispatchEvent(new Event("flagboard:listing"));
        if (this.#isLeading) firstRow()?.focus();
        this.#isLeading = false;
    }
}

const known = new WeakSet();

/** The form may have been replaced since the page was loaded. */
function begin() {
    const form = document.querySelector("[data-finding] > form");
    if (form === null || known.has(form)) return;
    known.add(form);
    new Search(form);
}

document.addEventListener("flagboard:placed", begin);
begin();
