// Makes a flag a favourite, or ends that, without loading the page again: by its button, by the star that a row has under the
// pointer, with the focus or on a touch screen, or by a key where a row has the focus.

import { toFavourites } from "./addresses.js";
import { icon } from "./icons.js";

const announcer = document.getElementById("announcer");
const [YES, NO] = ["yes", "no"];

/** What a form says before and after its flag is a favourite. */
const WORDS = {
  [YES]: { label: "Remove from favourites", next: NO, told: "added to favourites." },
  [NO]: { label: "Add to favourites", next: YES, told: "removed from favourites." },
};

const rowsOf = (key) => document.querySelectorAll(`main .flag[data-flag="${CSS.escape(key)}"]`);
const formsOf = (key) =>
  [...document.querySelectorAll("form.favourite")].filter((form) => form.elements.key.value === key);

function star() {
  const star = document.createElement("span");
  star.className = "star";
  star.setAttribute("role", "img");
  star.setAttribute("aria-label", "Favourite");
  star.title = "Favourite";
  star.append(icon("star"));
  return star;
}

/** Shows that a flag is a favourite, or none. */
function show(key, wish) {
  const words = WORDS[wish];
  for (const form of formsOf(key)) {
    form.classList.toggle("is-favourite", wish === YES);
    form.elements.favourite.value = words.next;
    form.querySelector("button > span:last-child").textContent = words.label;
  }
  for (const row of rowsOf(key)) {
    const name = row.querySelector(".flag-name");
    name.querySelector(":scope > .star")?.remove();
    if (wish === YES) name.prepend(star(), " ");
    label(row);
  }
}

/** What was sent last: each answer holds all favourites, so that the next request goes with those of the answer before. */
let sent = Promise.resolve();

/** Has the browser keep it; whether it does. */
function keep(key, wish) {
  sent = sent.then(() => send(key, wish));
  return sent;
}

async function send(key, wish) {
  try {
    const answer = await fetch(toFavourites, {
      method: "POST",
      body: new URLSearchParams({ key, favourite: wish }),
      headers: { Prefer: "return=minimal" },
      credentials: "same-origin",
      redirect: "manual",
    });
    // A refusal is answered with a page that says why, and a session that has ended with the way to the sign-in.
    return answer.status === 204;
  } catch (error) {
    console.info(`The favourite is sent as a form: ${error}`);
    return false;
  }
}

/** Sends it as a form, whose answer is shown. */
function sendWhole(key, wish) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = toFavourites;
  form.hidden = true;
  for (const [name, value] of Object.entries({ key, favourite: wish })) {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", name, value];
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

async function change(key, wish, name) {
  if (!(await keep(key, wish))) {
    sendWhole(key, wish);
    return;
  }
  show(key, wish);
  announcer.textContent = `${name} ${WORDS[wish].told}`;
}

function nameOf(key) {
  const title = rowsOf(key)[0]?.querySelector(".name") ?? document.querySelector("article h1");
  return title?.textContent ?? key;
}

/** Makes the flag of the row that has the focus a favourite, or of the page; or ends that. */
export function toggleFavourite() {
  const row = document.activeElement.closest?.("main .flag[data-flag]");
  const key = row?.dataset.flag ?? document.querySelector("article form.favourite")?.elements.key.value;
  if (key === undefined) return;
  const isOne = row ? isFavourite(row) : formsOf(key)[0].classList.contains("is-favourite");
  change(key, isOne ? NO : YES, nameOf(key));
}

/** Without a pointer that hovers, each row has its star. */
const touch = matchMedia("(hover: none)");

const isFavourite = (row) => row.querySelector(".flag-name > .star") !== null;

function label(row) {
  const button = row.querySelector(".star-button");
  if (!button) return;
  const words = WORDS[isFavourite(row) ? YES : NO];
  button.classList.toggle("is-favourite", isFavourite(row));
  button.title = words.label;
  button.setAttribute("aria-label", words.label);
}

function offerStar(row) {
  const name = row.querySelector(".flag-name");
  if (!name || name.querySelector(".star-button")) return;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "star-button" });
  button.append(icon("star"));
  button.addEventListener("click", () => change(row.dataset.flag, isFavourite(row) ? NO : YES, nameOf(row.dataset.flag)));
  name.append(button);
  label(row);
}

function removeStar(row) {
  if (!touch.matches && !row.matches(":hover, :focus-within")) row.querySelector(".star-button")?.remove();
}

for (const [begin, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  document.addEventListener(begin, (event) => {
    const row = event.target.closest?.("main .flag[data-flag]");
    if (row && event.pointerType !== "touch") offerStar(row);
  });
  document.addEventListener(end, (event) => {
    const row = event.target.closest?.("main .flag[data-flag]");
    // The focus and the pointer have moved on only after the event.
    if (row && !row.contains(event.relatedTarget)) setTimeout(() => removeStar(row));
  });
}

function offerStars() {
  const rows = document.querySelectorAll("main .flag[data-flag]");
  for (const row of rows) (touch.matches ? offerStar : removeStar)(row);
}

touch.addEventListener("change", offerStars);
for (const event of ["listing", "placed", "refreshed"]) {
  document.addEventListener(`flagboard:${event}`, () => touch.matches && offerStars());
}
if (touch.matches) offerStars();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form.favourite") || event.defaultPrevented) return;
  event.preventDefault();
  const key = form.elements.key.value;
  change(key, form.elements.favourite.value, nameOf(key));
});
