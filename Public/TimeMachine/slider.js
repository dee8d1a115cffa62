// The slider of the time machine: it says its day while it moves, and the page follows where it stops.

import { replace } from "./page-refresh.js";

let asked = null;

/** The day that so many days lead to from another one: `2026-11-21`. */
function dayAfter(start, days) {
  const day = new Date(`${start}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

function tell(slider) {
  const text =
    slider.value === slider.max ? "now" : dayAfter(slider.form.elements.start.value, Number(slider.value));
  slider.setAttribute("aria-valuetext", text);
  const label = slider.form.querySelector(".moment-label");
  const share = slider.value / slider.max;
  label.setAttribute("class", `moment-label moment-${share < 0.15 ? "start" : share > 0.9 ? "end" : "middle"}`);
  label.firstElementChild.setAttribute("x", `${share * 100}%`);
  label.firstElementChild.textContent = text;
}

async function follow(form) {
  asked?.abort();
  const request = new AbortController();
  asked = request;
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value) address.searchParams.append(name, value);
  try {
    const answer = await fetch(address, { signal: request.signal, headers: { Accept: "text/html" } });
    const text = await answer.text();
    if (request.signal.aborted) return;
    if (!answer.ok) return location.assign(address);
    const fresh = new DOMParser().parseFromString(text, "text/html");
    document.title = fresh.title;
    // The address of the moment itself, so that a reload and a bookmark show the same.
    history.replaceState(history.state, "", answer.url);
    replace(document.getElementById("main"), fresh.getElementById("main"));
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
  }
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.("[data-slider] input[type=range]")) tell(event.target);
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-slider] input[type=range]")) follow(event.target.form);
});

// Enter in the slider sends its form: the page follows then as well, so that the slider keeps the focus.
document.addEventListener("submit", (event) => {
  if (!event.target.matches?.("[data-slider]")) return;
  event.preventDefault();
  follow(event.target);
});

/** Where the page follows by itself, no button is needed. */
function begin() {
  for (const form of document.querySelectorAll("[data-slider]")) form.classList.add("is-live");
}

document.addEventListener("flagboard:placed", begin);
begin();
