// Comfort for ticking flags in the list: a bar that follows while some are ticked, ranges by the shift key, all and none.

import { handOn, remember, remembered, take } from "./keeping.js";

const picks = () => [...document.querySelectorAll('input[form="selection"][name="key"]')];
/** The box that selects the flags of every page of the list; there is none where the list has one page. */
const everything = () => document.querySelector('#selection [name="extent"]');
/** What the list finds, whichever page of it is shown. */
const query = () => document.querySelector('#selection [name="query"]')?.value;
/** The key paths of the flags that are ticked, be they in the list or left out of it by a search. */
const ticked = new Set();
let last = null;

/** What says what to do to the flags that are ticked. */
function fieldsOf(form) {
  return [...form.querySelectorAll("select, input[type=text]")];
}

/** All that somebody has entered in the form. */
function entered(form) {
  return {
    keys: [...ticked],
    query: everything()?.checked ? query() : undefined,
    fields: Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value])),
  };
}

/** Takes up what was entered on the page that led here; one that is about something else forgets it. */
function takeUp() {
  const kept = take();
  const form = document.getElementById("selection");
  if (form) restore(form, kept?.isApplied ? null : (kept ?? remembered()));
  else if (kept && document.querySelector("form.batch-form")) remember({ ...kept, isApplied: false });
}

/** Keeps what is entered for the page that comes next and for whoever comes back to this one; then nothing need be asked. */
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

/** Fills in a field; a select that does not offer that any more stays as it is. */
function fill(field, text) {
  const isOffered = field.localName !== "select" || [...field.options].some((option) => option.value === text);
  if (isOffered) field.value = text;
}

/** Has the form send what is ticked and not in the list as well; returns how many that are. */
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

/** Has the form sent only with a tag where one is asked for; a value may be the empty text. */
function demand(field, isShown) {
  for (const input of field.querySelectorAll('input[name="tag"]')) {
    input.required = isShown;
    // Spaces and commas alone are no tag.
    if (isShown) input.pattern = ".*[^\\s,].*";
    else input.removeAttribute("pattern");
    input.title = isShown ? "The name of a tag" : "";
  }
}

/** Shows how many flags are ticked, and the form only while some are. */
function show() {
  const form = document.getElementById("selection");
  if (!form) return;
  const all = picks();
  const isAll = everything()?.checked === true;
  for (const pick of all) {
    // All are shown as ticked then; which ones somebody ticked is kept, in case they don't mean all after all.
    if (isAll) pick.checked = true;
    else if (pick.checked) ticked.add(pick.value);
    else ticked.delete(pick.value);
  }
  const away = holdAway(form, all);
  const count = ticked.size;
  form.classList.add("selection-follows");
  // What is wrong with a form that was sent is to be seen.
  form.hidden = count === 0 && !isAll && !form.querySelector(":scope > .problem");
  const place = form.querySelector("[data-selection-count]");
  let text = count === 0 ? "" : `${count} of ${all.length} selected`;
  if (away > 0) text = `${count} selected, ${away} of them not in this list`;
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

/** Ticks what lies between two boxes like the second one. */
function range(from, to) {
  const all = picks();
  const places = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
  if (places[0] < 0) return;
  for (const pick of all.slice(places[0], places[1] + 1)) pick.checked = to.checked;
}

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.matches('input[form="selection"][name="key"]')) {
    // Who leaves one out no longer means all of them.
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
// A browser may leave without that, and then keeps the page itself for whoever comes back.
addEventListener("pagehide", () => {
  const form = document.getElementById("selection");
  if (form && !("kept" in form.dataset)) handOn(entered(form));
});
// A browser that goes back to the list ticks the boxes again that were ticked, without an event.
addEventListener("pageshow", (event) => {
  if (event.persisted) takeUp();
  show();
});
document.addEventListener("flagboard:listing", () => {
  for (const pick of picks()) pick.checked = ticked.has(pick.value);
  show();
});
// The list may be replaced while somebody searches in it.
const list = document.querySelector("main");
if (list) new MutationObserver(show).observe(list, { childList: true, subtree: true });
takeUp();
show();
