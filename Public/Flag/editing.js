// Changes a Boolean in its row of the list, and undoes that, without loading the page again. Where an answer is not the expected
// one, the browser sends the form itself, and shows the page that says what is wrong.

import { asked, toFlags, within } from "./addresses.js";
import { offerCopies } from "./copying.js";
import { keepTicks } from "./page-refresh.js";

const announcer = document.getElementById("announcer");

/** The address of the list of one flag and the flags below its key path. */
function shortList(row) {
  return `${toFlags}?group=${encodeURIComponent(row.dataset.flag)}`;
}

/** The row as the server shows it after the change; `null` where the change was refused. */
async function rowAfter(form, button, row) {
  // The buttons are called action, and so hide the property of the form.
  const fields = new URLSearchParams(new FormData(form, button));
  fields.set("back", within(shortList(row)));
  const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields, credentials: "same-origin" });
  if (!answer.ok || new URL(answer.url).pathname !== toFlags) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(row.id);
  // The flag may be gone; the list tells.
  if (!fresh) location.assign(asked(form.elements.back.value));
  return fresh ?? row;
}

/** Puts the new row in the place of the old one, even where the filter would no longer list it. */
function replace(row, fresh, back) {
  for (const field of fresh.querySelectorAll("input[name=back]")) field.value = back;
  const notice = fresh.querySelector(".notice > p");
  notice?.removeAttribute("role");
  const made = notice?.parentElement.dataset.made;
  if (made) document.dispatchEvent(new CustomEvent("flagboard:changed", { detail: made }));
  for (const earlier of document.querySelectorAll(".notice")) earlier.remove();
  keepTicks(row, fresh);
  // A list in another order shows the place of each flag; the row comes from a list in file order.
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

/** The accessible name of a button says what it does; the same text is its tooltip. */
function explain(event) {
  const button = event.target.closest?.(".three-way button, .undo button");
  if (button && !button.title) button.title = button.getAttribute("aria-label");
}

document.addEventListener("submit", change);
document.addEventListener("pointerover", explain);
// A return may show the page as it was while its form was being sent.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-whole]")) delete form.dataset.whole;
});

let editors = null;

/** Adds the scripts' behaviour to an element's forms, once to each. */
async function equip(element) {
  offerCopies(element);
  const forms = element.matches("form[data-editor]") ? [element] : [...element.querySelectorAll("form[data-editor]")];
  if (!forms.length) return;
  // From here on nothing is awaited: the caller goes on with the element as it is now.
  editors ??= await import("./editors.js");
  for (const form of forms) editors.equip(form);
}

document.addEventListener("flagboard:placed", (event) => equip(event.target));
equip(document.body);
