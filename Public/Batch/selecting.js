// Comfort for ticking flags in the list: a bar that follows while some are ticked, ranges by the shift key, all and none.

import { handOn, remember, remembered, take } from "./keeping.js";

const picks = () => [...document.querySelectorAll('input[form="selection"][name="key"]')];
/** The box that selects the flags of every page of the list; there is none where the list has one page. */
const everything = () => document.querySelector('#selection [name="extent"]');
/** The search that the list shows, without the number of the page. */
const query = () => document.querySelector('#selection [name="query"]')?.value;
/** The key paths of the ticked flags, also of those that a search leaves out of the list. */
const ticked = new Set();
let last = null;

/** The form that says what to do with the ticked flags. */
function fieldsOf(form) {
  return [...form.querySelectorAll("select, input[type=text]")];
}

/** Everything that was entered in the form. */
function entered(form) {
  return {
    keys: [...ticked],
    query: everything()?.checked ? query() : undefined,
    fields: Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value])),
  };
}

/** Takes up what was entered on the page that led here; a list of another search forgets it. */
function takeUp() {
  const kept = take();
  const form = document.getElementById("selection");
  if (form) restore(form, kept?.isApplied ? null : (kept ?? remembered()));
  else if (kept && document.querySelector("form.batch-form")) remember({ ...kept, isApplied: false });
}

/** Keeps what is entered for the next page and for a return to this one, so that leaving asks no question. */
function leave() {
  const form = document.getElementById("selection");
  if (!form) return;
  const now = entered(form);
  form.toggleAttribute("data-kept", handOn(now) && remember(now));
}

function restore(form, kept) {
  for (const key of kept?.keys ?? []) ticked.add(key);
  for (const field of form.querySelectorAll("[data-away]")) ticked.add(field.value);
  for (const pick of picks()) pick.checked ||= ticked.has(pick.value);
  if (everything() && kept?.query !== undefined && kept.query === query()) everything().checked = true;
  for (const field of fieldsOf(form)) fill(field, kept?.fields[field.name] ?? field.value);
}

/** Fills in a field; a select that no longer offers the value stays as it is. */
function fill(field, text) {
  const isOffered = field.localName !== "select" || [...field.options].some((option) => option.value === text);
  if (isOffered) field.value = text;
}

/** Adds the ticked flags that are not in the list to the form; returns how many there are. */
function holdAway(form, all) {
  const shown = new Set(all.map((pick) => pick.value));
  const away = [...ticked].filter((key) => !shown.has(key));
  const sent = [...form.querySelectorAll("[data-away]")];
  if (away.length === sent.length && away.every((key, place) => sent[place].value === key)) return away.length;
  for (const field of sent) field.remove();
  for (const key of away) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "key", value: key });
    field.dataset.away = "";
    form.append(field);
  }
  return away.length;
}

/** Keeps the form back while a tag is asked for and none is typed; a value may be the empty text. */
function demand(field, isShown) {
  for (const input of field.querySelectorAll('input[name="tag"]')) {
    input.required = isShown;
    // Spaces and commas alone are no tag.
    if (isShown) input.pattern = ".*[^\\s,].*";
    else input.removeAttribute("pattern");
    input.title = isShown ? "Enter a tag" : "";
  }
}

/** Shows how many flags are ticked, and the form only while some are. */
function show() {
  const form = document.getElementById("selection");
  if (!form) return;
  const all = picks();
  const isAll = everything()?.checked === true;
  for (const pick of all) {
    // Every box is shown ticked then; the boxes ticked before are remembered, for when "all" is unticked again.
    if (isAll) pick.checked = true;
    else if (pick.checked) ticked.add(pick.value);
    else ticked.delete(pick.value);
  }
  const away = holdAway(form, all);
  const count = ticked.size;
  form.classList.add("selection-follows");
  // The problem of a form that was sent must be in view.
  form.hidden = count === 0 && !isAll && !form.querySelector(":scope > .problem");
  const place = form.querySelector("[data-selection-count]");
  let text = count === 0 ? "" : `${count} of ${all.length} selected`;
  if (away > 0) text = `${count} selected, ${away} not on this page`;
  if (isAll) text = `All ${everything().dataset.found} selected`;
  if (place.textContent !== text) place.textContent = text;
  form.querySelector("[data-selection-all]").hidden = all.every((pick) => pick.checked);
  form.querySelector("[data-selection-none]").hidden = false;
  const takes = form.elements.action.selectedOptions[0]?.dataset.takes;
  for (const field of form.querySelectorAll("[data-selection-takes]")) {
    field.hidden = field.dataset.selectionTakes !== takes;
    demand(field, !field.hidden);
  }
}

/** Sets the boxes between two boxes to the state of the second one. */
function range(from, to) {
  const all = picks();
  const places = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
  if (places[0] < 0) return;
  for (const pick of all.slice(places[0], places[1] + 1)) pick.checked = to.checked;
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.matches('input[form="selection"][name="key"]')) {
    // Unticking one flag ends "all".
    if (!event.target.checked && everything()) everything().checked = false;
    if (event.shiftKey && last?.isConnected) range(last, event.target);
    last = event.target;
    show();
    // The bar that comes with the first tick must not cover it.
    event.target.scrollIntoView({ block: "nearest" });
  } else if (event.target.closest("[data-selection-all], [data-selection-none]")) {
    const checked = event.target.closest("[data-selection-all]") !== null;
    for (const pick of picks()) pick.checked = checked;
    if (!checked) {
      ticked.clear();
      if (everything()) everything().checked = false;
    }
    show();
    if (!checked) picks()[0]?.focus();
    else document.getElementById("selection-action")?.focus();
  }
});
document.addEventListener("change", (event) => {
  if (event.target === everything() && !event.target.checked) {
    for (const pick of picks()) pick.checked = ticked.has(pick.value);
  }
  if (event.target instanceof Element && event.target.closest('#selection, [form="selection"]')) show();
});
document.addEventListener("flagboard:leaving", leave);
// A browser may leave without this event; then it keeps the page itself for a return.
addEventListener("pagehide", () => {
  const form = document.getElementById("selection");
  if (form && !("kept" in form.dataset)) handOn(entered(form));
});
// A browser that goes back to the list restores the ticks without an event.
addEventListener("pageshow", (event) => {
  if (event.persisted) takeUp();
  show();
});
document.addEventListener("flagboard:listing", () => {
  for (const pick of picks()) pick.checked = ticked.has(pick.value);
  show();
});
// A search replaces the list.
const list = document.querySelector("main");
if (list) new MutationObserver(show).observe(list, { childList: true, subtree: true });
takeUp();
show();
