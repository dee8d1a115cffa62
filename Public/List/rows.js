// Changes a flag in its row of the list, undoes that, and opens and closes the row, without loading the page again. Where an answer
// is not the expected one, the browser goes the way that it would without a script, and shows the page that says what is wrong.

import { asked, toFlags, within } from "./addresses.js";
import { offerCopies } from "./copying.js";
import { isChanged } from "./forms.js";
import { refreshOwnChange } from "./own-change.js";
import { heldForms, keepTicks, merge, tellPlaced } from "./page-refresh.js";

const announcer = document.getElementById("announcer");
const FORMS = ".switching, .undo, .reason-form, .opened form[data-editor], .opened .card-lock form";

/** The address of the list as it is shown, with this flag's row open, or none. */
function listAddress(opened) {
  const address = new URL(location.href);
  for (const name of ["saved", "noted", "open", "at"]) address.searchParams.delete(name);
  if (opened !== undefined) address.searchParams.set("open", opened);
  address.hash = "";
  return address.pathname + address.search;
}

/** The list of one flag and of the flags below its key path, with the columns of the list that is shown. */
function shortList(row) {
  const asked = new URLSearchParams({ group: row.dataset.flag });
  const sort = new URLSearchParams(location.search).get("sort");
  if (sort) asked.set("sort", sort);
  return `${toFlags}?${asked}`;
}

/** What has a list show this row open where it is open. */
function openedIn(row) {
  return row.querySelector(":scope > .opened") ? `&open=${encodeURIComponent(row.dataset.flag)}` : "";
}

async function pageOf(answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** The row of the same flag in another page. */
const rowIn = (page, row) => page.querySelector(`.flag[data-flag="${CSS.escape(row.dataset.flag)}"]`);

/** What leads to the open row, or back. */
const OPENERS = ".set > :is(a.value, a.switch), a.source";

/** What a form sends, in the way that it would be sent without a script. */
function sent(form, button, row) {
  const data = new FormData(form, button);
  // A refusal opens the row in the very list that is shown; what is done is told by the row alone.
  if (!form.matches("[data-editor]")) data.set("back", within(shortList(row)) + openedIn(row));
  return form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
}

const REFUSALS = [409, 413, 422, 428];

/**
 * The row as the server shows it after the form.
 *
 * @returns `null` where the answer is no row, and the form is to be sent as without a script; the same row where it stays as it
 * is, or the browser is on its way to another page.
 */
async function rowAfter(form, button, row) {
  // The buttons are called action, and so hide the property of the form.
  const answer = await fetch(form.getAttribute("action"), {
    method: "POST",
    body: sent(form, button, row),
    credentials: "same-origin",
  });
  if (REFUSALS.includes(answer.status)) {
    const refused = rowIn(await pageOf(answer), row);
    if (!refused?.querySelector(".opened")) return null;
    if (makeRoom(row)) {
      if (refused.querySelector("form[data-editor]")) await import("./editors.js");
      return refused;
    }
    row.removeAttribute("aria-busy");
    return row;
  }
  if (!answer.ok) return null;
  if (new URL(answer.url).pathname !== toFlags) {
    // A form that leads on was carried out: sent again, it would meet its own change.
    if (!answer.redirected) return null;
    location.assign(answer.url);
    return row;
  }
  const page = await pageOf(answer);
  const fresh = rowIn(page, row);
  refreshOwnChange(page);
  // The flag may be gone, or not of this list any more; the list tells.
  if (!fresh) location.assign(form.matches("[data-editor]") ? answer.url : asked(within(listAddress())));
  return fresh ?? row;
}

/**
 * Puts a newer row in the place of one, even where the filter would no longer list it; what is being typed stays, except in the
 * form that was sent.
 *
 * @returns The row that is in its place now.
 */
function replace(row, fresh, form) {
  for (const field of fresh.querySelectorAll("input[name=back]")) field.value = within(listAddress());
  const isOpen = fresh.querySelector(".opened") !== null;
  for (const link of fresh.querySelectorAll(OPENERS)) {
    link.setAttribute("href", listAddress(isOpen ? undefined : row.dataset.flag));
  }
  fresh.removeAttribute("id");
  keepTicks(row, fresh);
  if (form && heldForms(row).some((held) => held !== form)) {
    row.removeAttribute("aria-busy");
    return merge(row, fresh);
  }
  row.replaceWith(document.adoptNode(fresh));
  tellPlaced(fresh);
  return fresh;
}

/** Says what was done to a row, and gives the focus back. */
function tell(fresh, form, button) {
  const notice = fresh.querySelector(".notice > p");
  notice?.removeAttribute("role");
  const made = notice?.parentElement.dataset.made;
  if (made) document.dispatchEvent(new CustomEvent("flagboard:changed", { detail: made }));
  announcer.textContent = notice ? `${fresh.querySelector(".name").textContent}: ${notice.textContent}` : "";
  const problem = fresh.querySelector(".opened [aria-invalid=true]") ?? fresh.querySelector(".opened [role=alert]");
  // No text takes the focus by itself.
  if (problem?.tabIndex < 0) problem.tabIndex = -1;
  const same = form.matches(".switching") ? ".switching button" : ".opened [aria-current]";
  (problem ?? fresh.querySelector(".opened [autofocus]") ?? fresh.querySelector(same) ?? fresh.querySelector(OPENERS) ?? fresh.querySelector(".name")).focus();
}

/** How many rows keep the notice of their last change. */
const MOST_NOTICES = 5;

/**
 * Removes the notices that a change replaces: that of its own row, and the oldest of more than a few. A reason that is being
 * typed stays, but a row offers to undo its newest change alone.
 */
function clearNotices(row, form) {
  const isKept = (notice) => heldForms(notice).some((held) => held !== form);
  const madeIn = (notice) => Number(notice.dataset.made ?? 0);
  const others = [];
  for (const notice of document.querySelectorAll("main .notice")) {
    if (row.contains(notice) && isKept(notice)) notice.querySelector(".undo")?.remove();
    else if (row.contains(notice) || !notice.closest(".flag")) notice.remove();
    else if (!isKept(notice)) others.push(notice);
  }
  others.sort((one, other) => madeIn(other) - madeIn(one));
  for (const notice of others.slice(MOST_NOTICES - 1)) notice.remove();
}

async function change(event) {
  const form = event.target;
  const row = form.closest?.(".flag");
  const button = event.submitter;
  if (!row || !button || !form.matches(FORMS) || form.dataset.whole || event.defaultPrevented) return;
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
  clearNotices(row, form);
  const typed = [...row.querySelectorAll(":scope > .notice")];
  for (const notice of typed) notice.remove();
  const [wasOpen, isOpen] = [row, fresh].map((one) => one.querySelector(".opened") !== null);
  if (isOpen !== wasOpen) history.replaceState(history.state, "", isOpen ? `${listAddress(row.dataset.flag)}#row` : listAddress());
  const shown = replace(row, fresh, form);
  tell(shown, form, button);
  shown.append(...typed);
}

// Opening and closing

// The page of a refused form has the address of its flag. As a list it gets its own, which a reload shows too.
const toList = document.querySelector("main .opened a[data-close]");
if (toList && location.pathname !== toFlags) {
  const address = new URL(toList.href);
  address.searchParams.set("open", toList.closest(".flag").dataset.flag);
  address.hash = "row";
  history.replaceState(history.state, "", address);
}

const openRow = () => document.querySelector("main .flag:has(> .opened)");

/** Whether something was typed in the open row that closing it would drop; then it says how to close it all the same. */
function holdsTyped(row) {
  const form = row?.querySelector(".opened form[data-editor]");
  if (!form || !isChanged(form) || "dropped" in form.dataset) return false;
  form.dataset.dropped = "";
  const warning = document.createElement("p");
  warning.className = "problem";
  warning.setAttribute("role", "alert");
  warning.textContent = "Unsaved changes. Save them, or close the row again to discard them.";
  form.querySelector(".edit-row").after(warning);
  const keep = () => {
    delete form.dataset.dropped;
    warning.remove();
  };
  form.addEventListener("input", keep, { once: true });
  form.querySelector("button[value=set]")?.focus();
  return true;
}

/** Offers the address and the commands of the list as another page has them. */
function showCopies(page) {
  const [copies, fresh] = [document, page].map((one) => one.querySelector("[data-swap=copies]"));
  if (!copies || !fresh) return;
  copies.replaceWith(document.adoptNode(fresh));
  offerCopies(fresh);
}

/** Shows a row as it is in the list of this address. */
async function show(row, address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  const page = answer.ok && !answer.redirected ? await pageOf(answer) : null;
  const fresh = page && rowIn(page, row);
  if (!fresh) {
    location.assign(address);
    return null;
  }
  // Another window that opens the address goes to the row.
  history.replaceState(history.state, "", fresh.querySelector(".opened") ? `${address}#row` : address);
  showCopies(page);
  replace(row, fresh);
  return fresh;
}

/** Closes the row that is open, if it is another; `false` where that would drop what was typed. */
function makeRoom(row) {
  const other = openRow();
  if (!other || other === row) return true;
  if (holdsTyped(other)) return false;
  other.querySelector(".opened").remove();
  for (const link of other.querySelectorAll(OPENERS)) link.setAttribute("href", listAddress(other.dataset.flag));
  return true;
}

async function open(row) {
  if (!makeRoom(row)) return;
  const fresh = await show(row, listAddress(row.dataset.flag));
  // What the editors add to the form comes first: a field that is moved loses the focus.
  if (fresh?.querySelector("form[data-editor]")) await import("./editors.js");
  fresh?.scrollIntoView({ block: "nearest" });
  const fields = ["[name=value]:checked", "[name=value]:not([type=hidden])", ".row-value, .rows button", "a[data-close]"];
  const isShown = (field) => field?.checkVisibility?.() ?? Boolean(field);
  fields.map((field) => fresh?.querySelector(`.opened ${field}`)).find(isShown)?.focus();
}

async function close(row) {
  if (holdsTyped(row)) return;
  const fresh = await show(row, listAddress());
  (fresh?.querySelector(OPENERS) ?? fresh?.querySelector(".name"))?.focus();
}

/** Opens the row, or closes the one that is open. */
export function toggle(row) {
  if (row.querySelector(":scope > .opened")) close(row);
  else open(row);
}

document.addEventListener("click", (event) => {
  // A switch that can't be pressed leads to the reason.
  const link = event.target.closest?.(`${OPENERS}, a[data-close]`);
  const row = link?.closest(".flag");
  if (!row || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  toggle(row);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  // A row that has just been opened may not have the focus yet.
  const row = event.target === document.body ? openRow() : event.target.closest?.("main .flag");
  if (row?.querySelector(":scope > .opened")) {
    event.preventDefault();
    close(row);
  } else if (row && !event.target.matches(".name")) {
    // From what is switched, told or typed in a row back to where the keys of the list count.
    event.preventDefault();
    row.querySelector(".name").focus();
  }
});

// A row of one line cuts long texts: the pointer shows the whole.
document.addEventListener("pointerover", (event) => {
  const text = event.target.closest?.(".listing-compact .flag-name > :is(p, code)");
  if (text && text.scrollWidth > text.clientWidth) text.title = text.textContent;
});

/**
 * Brings the row into view that the address opens, where it doesn't go to it by itself; where the browser goes back, it knows how far
 * the page was scrolled.
 */
function seekOpened() {
  const row = openRow();
  const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  const isLed = location.hash !== "" || document.querySelector("[autofocus]") !== null;
  if (!row || !isNew || isLed || !new URLSearchParams(location.search).has("open")) return;
  const { top } = row.querySelector(":scope > .opened").getBoundingClientRect();
  if (top > innerHeight * 0.75) row.scrollIntoView({ behavior: "instant" });
}

seekOpened();
// A browser that goes to a place on the page takes the focus from all fields while it loads.
addEventListener("load", () => {
  if (location.hash === "#row" && document.activeElement === document.body) openRow()?.querySelector(".opened [autofocus]")?.focus();
});
document.addEventListener("submit", change);
// A return may show the page as it was while its form was being sent.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-whole]")) delete form.dataset.whole;
});
