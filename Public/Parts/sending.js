// Keeps a form that would be sent to a server that is away: the browser's own page of the error would take its place, and
// what was typed would be lost.

import { toHelp } from "./addresses.js";
import { changesSomething } from "./forms.js";
import { ask, isAway } from "./live-stream.js";
import { element } from "./live-words.js";

const AWAY = "Can’t reach the server. Your changes weren’t saved but are still here. Try again when it’s back.";

/** The forms whose server has just answered. */
const answered = new WeakSet();

// What was kept back can be sent again.
document.addEventListener("flagboard:back", () => {
  for (const warning of document.querySelectorAll(".away")) warning.remove();
});

/** Heard before all other listeners, for which a form that is kept back was never sent. */
addEventListener("submit", hold, { capture: true });

async function hold(event) {
  const { target: form, submitter } = event;
  if (!changesSomething(form) || !isAway() || answered.delete(form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const place = form.closest(".flag") ?? form;
  place.querySelector(":scope > .away")?.remove();
  if (await ask(toHelp, { method: "HEAD" })) {
    answered.add(form);
    form.requestSubmit(submitter);
    return;
  }
  const warning = element("p", "problem away", AWAY);
  warning.setAttribute("role", "alert");
  place.append(warning);
  warning.scrollIntoView({ block: "nearest" });
}
