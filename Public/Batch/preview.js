// Changes that are looked at before they are made: their address, and what was selected for them in the list.

import { handOn, remember, remembered } from "./keeping.js";
import { ask } from "./live-stream.js";
import { replace } from "./page-refresh.js";

const FORM = "form.batch-form";

/** Whoever cancels finds what they had selected; whoever looks anew, what they had typed. */
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
  const main = replace(document.getElementById("main"), fresh.getElementById("main"));
  const field = main.querySelector(`${FORM} [name=reason]`);
  if (field) field.value = reason;
  main.focus();
}

/** What is made is selected no more; where it is refused, it is looked at anew and may be cancelled still. */
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
}
// Changes that were refused stand at an address that can't be loaded again; that of their preview can.
if (form?.dataset.again && location.pathname + location.search !== form.dataset.again) {
  history.replaceState(history.state, "", form.dataset.again);
}
