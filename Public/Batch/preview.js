// Changes that are looked at before they are made: their address, and what was selected for them in the list.

import { handOn, remember, remembered } from "./keeping.js";
import { ask } from "./live-stream.js";
import { replace } from "./page-refresh.js";

const FORM = "form.batch-form";

/** After Cancel, the list has the same flags selected; after a new preview, the form holds what was typed. */
function follow(event) {
  const link = event.target.closest(`${FORM} a[href]`);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.getAttribute("href") === link.closest("form").dataset.again) {
    event.preventDefault();
    lookAnew(link);
  } else if (remembered()) {
    handOn(remembered());
  }
}

/** Shows what the changes would do now, without leaving the page. */
async function lookAnew(link) {
  const answer = await ask(link.href);
  if (!answer?.ok || answer.redirected) return location.assign(link.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const reason = document.querySelector(`${FORM} [name=reason]`)?.value ?? "";
  const leftOut = boxes().filter((box) => !box.checked).map(flag);
  const main = replace(document.getElementById("main"), fresh.getElementById("main"));
  const field = main.querySelector(`${FORM} [name=reason]`);
  if (field) field.value = reason;
  for (const box of boxes()) box.checked &&= !leftOut.includes(flag(box));
  count();
  main.focus();
}

/** The boxes that leave changes out. */
const boxes = () => [...document.querySelectorAll(".batch-row > .pick > input")];
const flag = (box) => box.closest(".batch-row").dataset.changes;

/** The button and the title say how many changes are ticked; only these ask for what a restart needs. */
function count() {
  const button = document.querySelector(`${FORM} .actions button`);
  if (!boxes().length || !button) return;
  const ticked = boxes().filter((box) => box.checked);
  for (const text of [button, document.querySelector(".page-head > .count")]) {
    reword(text, /\d+ changes?/, `${ticked.length} ${ticked.length === 1 ? "change" : "changes"}`);
  }
  const restart = document.querySelector(`${FORM} [name=restart]`);
  if (!restart) return;
  restart.required = ticked.some((box) => box.closest("[data-restart]"));
  restart.closest(".field").hidden = !restart.required;
}

/** Screen readers read what was written, though it is the same. */
function reword(node, old, words) {
  const text = node.textContent.replace(old, words);
  if (text !== node.textContent) node.textContent = text;
}

/** Changes that were made clear the selection; changes that were refused can be previewed again, or cancelled. */
function apply(event) {
  const selected = remembered();
  if (!selected || event.defaultPrevented || !event.target.matches(FORM)) return;
  handOn({ ...selected, isApplied: true });
  remember(null);
}

const form = document.querySelector(FORM);
if (form) {
  document.addEventListener("click", follow);
  document.addEventListener("submit", apply);
  document.addEventListener("change", count);
  count();
}
// The address of refused changes can't be loaded again; the address of their preview can.
if (form?.dataset.again && location.pathname + location.search !== form.dataset.again) {
  history.replaceState(history.state, "", form.dataset.again);
}
