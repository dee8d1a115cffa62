// Changes a Boolean where it stands in the list, and takes it back, without loading the page anew. Whatever goes another way
// than expected is sent once more as the browser sends forms, and ends on a page that says what is wrong.

import { toFlags } from "./addresses.js";
import { offerCopies } from "./copying.js";
import { keepTicks } from "./page-refresh.js";

const announcer = document.getElementById("announcer");

/** The list that holds the one flag alone, with the flags inside it, where it is one of a path. */
function shortList(row) {
  return `${toFlags}?group=${encodeURIComponent(row.dataset.flag)}`;
}

/** The row as the server shows it after the change; `null` where the change was refused. */
async function rowAfter(form, button, row) {
  // The buttons are called action, and so hide the property of the form.
  const fields = new URLSearchParams(new FormData(form, button));
  fields.set("back", shortList(row));
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, credentials: "same-origin" });
  if (!answer.ok || new URL(answer.url).pathname !== toFlags) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(row.id);
  // Nothing may be left of the flag: the list knows.
  if (!fresh) location.assign(form.elements.back.value);
  return fresh ?? row;
}

/** Puts the new row in the place of the old one, which stays where it is even if the filter would not list it now. */
function replace(row, fresh, back) {
  for (const field of fresh.querySelectorAll("input[name=back]")) field.value = back;
  const notice = fresh.querySelector(".notice > p");
  notice?.removeAttribute("role");
  const made = notice?.parentElement.dataset.made;
  if (made) document.dispatchEvent(new CustomEvent("flagboard:changed", { detail: made }));
  for (const earlier of document.querySelectorAll(".notice")) earlier.remove();
  keepTicks(row, fresh);
  // A list in another order says of each flag where it stands; the list that the row comes from stands in that order.
  const trail = row.querySelector(".trail");
  if (trail && !fresh.querySelector(".trail")) fresh.querySelector(".key").after(trail.cloneNode(true));
  row.replaceWith(document.adoptNode(fresh));
  announcer.textContent = notice ? `${fresh.querySelector(".name").textContent}: ${notice.textContent}` : "";
}

async function change(event) {
  const form = event.target;
  const row = form.closest?.(".flag");
  const button = event.submitter;
  if (!row || !button || !form.matches(".three-way, .undo") || form.dataset.whole) return;
  event.preventDefault();
  if (row.getAttribute("aria-busy") === "true") return;
  row.setAttribute("aria-busy", "true");
  let fresh = null;
  try {
    fresh = await rowAfter(form, button, row);
  } catch (error) {
    console.info(`The change is sent as a form: ${error}`);
  }
  if (!fresh) {
    form.dataset.whole = "true";
    row.removeAttribute("aria-busy");
    form.requestSubmit(button);
    return;
  }
  if (fresh === row) return;
  replace(row, fresh, form.elements.back.value);
  const same = button.value === "undo" ? "[aria-pressed=true]" : `.three-way [value="${button.value}"]`;
  (fresh.querySelector(same) ?? fresh.querySelector(".name")).focus();
}

/** What a button does is its accessible name; those who see the page read it when they point at it. */
function explain(event) {
  const button = event.target.closest?.(".three-way button, .undo button");
  if (button && !button.title) button.title = button.getAttribute("aria-label");
}

document.addEventListener("submit", change);
document.addEventListener("pointerover", explain);
// A page that a person comes back to may be the one that was left while its form was sent.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-whole]")) delete form.dataset.whole;
});

let editors = null;

/** Makes what is in an element handier; whatever is so already is left as it is. */
async function equip(element) {
  offerCopies(element);
  const forms = element.matches("form[data-editor]") ? [element] : [...element.querySelectorAll("form[data-editor]")];
  if (!forms.length) return;
  // Nothing is waited for once they are here: whoever put the element into the page goes on with what it has become.
  editors ??= await import("./editors.js");
  for (const form of forms) editors.equip(form);
}

document.addEventListener("flagboard:placed", (event) => equip(event.target));
equip(document.body);
