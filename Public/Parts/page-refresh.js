// Brings parts of a page up to date from a newer one, and leaves forms that are being filled in alone.

import { changesSomething, isHeld } from "./forms.js";

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** Elements whose parts are refreshed one by one. */
const CONTAINERS = "main, article, .columns, .column";
/** The notice of a refused form, with what was typed in it, stays for as long as the page. */
const KEPT = "[role=alert], .typed";

/**
 * Tells the other scripts that an element was put into the page, before the focus is given back, so that their additions
 * can have it.
 */
export function tellPlaced(element) {
  element.dispatchEvent(new CustomEvent("flagboard:placed", { bubbles: true }));
}

/** The forms in an element that must not be replaced. */
export function heldForms(element) {
  const forms = element.matches("form") ? [element] : [...element.querySelectorAll("form")];
  return forms.filter((form) => changesSomething(form) && isHeld(form));
}

/** Ticks in newer rows of a list what was ticked in the old ones. */
export function keepTicks(old, next) {
  const boxes = (rows) => [...rows.querySelectorAll("input[type=checkbox][name=key]")];
  const ticked = new Set(boxes(old).filter((box) => box.checked).map((box) => box.value));
  for (const box of boxes(next)) box.checked = ticked.has(box.value);
}

/** Puts a newer element in the place of one; the focus, what was ticked and what was unfolded stay as they were. */
export function replace(old, fresh) {
  const next = document.importNode(fresh, true);
  keepTicks(old, next);
  if (old.localName === "details") next.open = old.open;
  const unfolded = new Map(named(old.querySelectorAll("details"), nameOfPart(old)));
  for (const [name, details] of named(next.querySelectorAll("details"), nameOfPart(next))) {
    if (unfolded.has(name)) details.open = unfolded.get(name).open;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const before = focused ? focusable(old) : [];
  old.replaceWith(next);
  tellPlaced(next);
  if (focused) {
    const place = before.findIndex(([, part]) => part === focused);
    const after = focusable(next);
    const found = after.find(([role]) => role === before[place]?.[0]) ?? after[place];
    (place < 0 ? next : found?.[1])?.focus({ preventScroll: true });
  }
  return next;
}

/** The parts of an element that can have the focus, by what they are for: above one, others may come and go. */
function focusable(element) {
  return named(element.querySelectorAll(FOCUSABLE), (part) => {
    const row = part.closest("[data-change], [data-flag]")?.dataset ?? {};
    const leads = part.getAttribute("href") ?? (part.matches("button") ? part.value : "");
    return JSON.stringify([part.localName, part.id, part.name ?? "", leads, row.change ?? "", row.flag ?? ""]);
  });
}

function nameOf(element) {
  const { flag, change } = element.dataset;
  const name = element.id || element.getAttribute("aria-labelledby") || flag || change || element.className;
  return `${element.localName} ${name}`;
}

/** Names what unfolds in an element by its section within that: of a list's criteria, some come and go. */
function nameOfPart(element) {
  return (details) => {
    const section = details.closest("section");
    const title = element.contains(section) ? section.querySelector("h2")?.textContent : "";
    return `${title ?? ""} ${nameOf(details)}`;
  };
}

/** Elements by what they are called, and which of those of the same name they are. */
function named(elements, call = nameOf) {
  const counts = new Map();
  return [...elements].map((element) => {
    const name = call(element);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return [`${name} ${count}`, element];
  });
}

/**
 * Makes an element what a newer one is, except for forms that are being filled in.
 *
 * @returns The element that is in its place now.
 */
export function merge(old, fresh) {
  if (old.isEqualNode(fresh)) return old;
  const holds = heldForms(old).length > 0;
  if (holds && old.localName === "form") return old;
  if (!holds && !old.matches(CONTAINERS)) return replace(old, fresh);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  const left = new Map(named(old.children));
  let before = null;
  for (const [name, next] of named(fresh.children)) {
    let mine = left.get(name);
    left.delete(name);
    if (mine) {
      mine = merge(mine, next);
    } else {
      mine = document.importNode(next, true);
      if (before) before.after(mine);
      else old.prepend(mine);
      tellPlaced(mine);
    }
    before = mine;
  }
  for (const gone of left.values()) {
    if (heldForms(gone).length === 0 && !gone.matches(KEPT)) gone.remove();
  }
  return old;
}
