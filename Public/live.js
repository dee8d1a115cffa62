// Shows in the open page what other people, the app and editors change: by the stream of events at /events.
//
// A page that is not looked at keeps no stream, so that many tabs don't use up the connections that a browser opens to
// one server; when it is shown again, it catches up from the last row of the history that it has.

import { changesSomething } from "./forms.js";
import { heldForms, merge, replace } from "./page-refresh.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
/** How long there is between two looks at the server, so that a program that writes all the time costs little. */
const PAUSE = 300;
/** For how long a form that this page has sent may take to lead elsewhere. */
const LEAVING = 10000;
const VERBS = {
  set: "set",
  reset: "reset",
  define: "defined",
  redefine: "changed the definition of",
  lock: "locked",
  unlock: "unlocked",
  remove: "removed",
};

const sign = document.getElementById("live");
const announcer = document.getElementById("announcer");
/** The rows of the history that this page has made, which it shows in its own way. */
const own = new Set();
let lastRow = document.body.dataset.row;
/** What the page says at its top, as the server marks it. */
let standing = document.body.dataset.standing;
let source = null;
let wait = FIRST_WAIT;
let timer = null;
let isOver = false;
let waiting = { changes: [], isReload: false, isStanding: false };
let isRefreshing = false;
let leftAt = -LEAVING;
let shownNew = null;

// The stream

function showSign(text, isOn, hint) {
  sign.hidden = false;
  sign.textContent = text;
  sign.classList.toggle("live-on", isOn);
  sign.title = hint;
}

function connect() {
  clearTimeout(timer);
  if (source || isOver || document.hidden) return;
  const known = new URLSearchParams({ after: lastRow });
  if (standing !== undefined) known.set("standing", standing);
  source = new EventSource(`/events?${known}`);
  source.addEventListener("open", () => {
    wait = FIRST_WAIT;
    showSign("Live", true, "Changes appear here as they are made.");
  });
  source.addEventListener("error", lost);
  source.addEventListener("flag-changed", (event) => receive(event, (data) => waiting.changes.push(data)));
  source.addEventListener("history", (event) => receive(event, (data) => waiting.changes.push(data)));
  source.addEventListener("reload", (event) => receive(event, () => (waiting.isReload = true)));
  source.addEventListener("standing", (event) => receive(event, () => (waiting.isStanding = true)));
  source.addEventListener("ended", end);
}

function disconnect() {
  source?.close();
  source = null;
}

async function lost() {
  const isRefused = source?.readyState === EventSource.CLOSED;
  disconnect();
  showSign("Not live", false, "The server can’t be reached. The page tries again by itself.");
  const delay = wait * (1 + Math.random() / 2);
  wait = Math.min(wait * 2, LONGEST_WAIT);
  timer = setTimeout(connect, delay);
  if (!isRefused) return;
  const answer = await ask("/events", { method: "HEAD" });
  if (answer?.status === 401) end();
}

function end() {
  isOver = true;
  clearTimeout(timer);
  disconnect();
  showSign("Not live: signed out", false, "Your session is over. Load the page again to sign in.");
}

function receive(event, take) {
  if (event.lastEventId) lastRow = event.lastEventId;
  take(JSON.parse(event.data));
  setTimeout(refresh, 100);
}

/** Asks the server without that counting as a use of the session; nothing where it can't be reached. */
async function ask(address, options = {}) {
  try {
    return await fetch(address, { ...options, headers: { "Flagboard-Unattended": "1" } });
  } catch {
    return null;
  }
}

// The page

/** This page's own address, without what is shown only once. */
function address() {
  const url = new URL(location.href);
  url.searchParams.delete("saved");
  url.hash = "";
  return url;
}

function say(text) {
  announcer.textContent = text;
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function isolated(text) {
  const made = document.createElement("bdi");
  made.textContent = text;
  return made;
}

function timeOf(change) {
  return `${change.at.slice(11, 16)} UTC`;
}

function sentence(change) {
  if (change.origin === "external") return `${change.key} was edited outside of Flagboard.`;
  const place = change.provider ? ` in ${change.provider}` : "";
  return `${change.actor} ${VERBS[change.kind] ?? "changed"} ${change.key}${place}.`;
}

function summary(changes) {
  if (changes.length === 1) return sentence(changes[0]);
  return `${changes.length} changes. The last one: ${sentence(changes.at(-1))}`;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Whether the page waits for the answer to a form of its own, which shows what became of it. */
function isSending() {
  return Date.now() - leftAt < LEAVING || document.querySelector("main [aria-busy=true]") !== null;
}

async function refresh() {
  if (isRefreshing || !(waiting.changes.length || waiting.isReload || waiting.isStanding)) return;
  isRefreshing = true;
  try {
    while (isSending()) await pause();
    const news = waiting;
    waiting = { changes: [], isReload: false, isStanding: false };
    news.changes = news.changes.filter((change) => !own.has(String(change.id)));
    await bringUpToDate(news);
    await pause();
  } finally {
    isRefreshing = false;
  }
  setTimeout(refresh, 0);
}

async function bringUpToDate(news) {
  if (!(news.changes.length || news.isReload || news.isStanding)) return;
  const definition = document.querySelector("form.definition[data-flag]");
  if (definition) return warnOfDefinition(definition, news.changes);
  const preview = document.querySelector("form.batch-form[data-again]");
  if (preview) return warnOfPreview(preview, news.changes);
  const article = document.querySelector("main > article[data-flag]");
  const isAbout = (change) => article.dataset.flag === change.key || article.dataset.flag.startsWith(`${change.key}/`);
  if (article && !news.isReload && !news.isStanding && !news.changes.some(isAbout)) return;
  const isFollowed = article !== null || location.pathname === "/" || location.pathname === "/history";
  if (!isFollowed && !news.isStanding) return;
  const answer = await ask(address());
  if (article && answer?.status === 404) {
    warnAll(article, null, "This flag is no longer here.");
    return;
  }
  if (!answer?.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  refreshNotices(fresh);
  refreshRestart(fresh);
  if (!isFollowed) return;
  if (article) refreshFlag(article, fresh, news.changes.filter(isAbout), news);
  else if (location.pathname === "/") refreshList(fresh, news);
  else refreshHistory(fresh);
  document.dispatchEvent(new CustomEvent("flagboard:refreshed"));
}

/** What holds for all pages: whether a file can't be read, and the like. */
function refreshNotices(fresh) {
  standing = fresh.body.dataset.standing;
  const found = (page) => [...page.querySelectorAll("main > .banner[data-notice]")];
  const [old, next] = [found(document), found(fresh)];
  if (old.length === next.length && old.every((notice, place) => notice.isEqualNode(next[place]))) return;
  for (const notice of old) notice.remove();
  document.getElementById("main").prepend(...next.map((notice) => document.importNode(notice, true)));
}

/** What waits for a restart of the app. */
function refreshRestart(fresh) {
  const [old, next] = [document, fresh].map((page) => page.querySelector("main > .restart"));
  if (!next) return old?.remove();
  const made = document.importNode(next, true);
  if (!old) {
    const last = [...document.querySelectorAll("main > .banner[data-notice]")].at(-1);
    return last ? last.after(made) : document.getElementById("main").prepend(made);
  }
  made.querySelector("details").open = old.querySelector("details").open;
  if (old.isEqualNode(made)) return;
  const wasFocused = old.contains(document.activeElement);
  old.replaceWith(made);
  if (wasFocused) made.querySelector("button, summary").focus({ preventScroll: true });
}

function refreshFlag(article, fresh, changes, news) {
  const next = fresh.querySelector("main > article[data-flag]");
  if (!next) return;
  const last = changes.findLast((change) => change.kind in VERBS || change.kind === "external");
  if (last) {
    const value = next.querySelector("[data-effective]")?.textContent.trim() ?? "";
    const short = value.length > 60 ? `${value.slice(0, 60)}…` : value;
    warnAll(article, last, short, next);
  }
  merge(article, next);
  if (changes.length) say(summary(changes));
  else if (news.isReload) say("This page was brought up to date.");
}

/** Tells whoever fills in a form that the flag is not what it was when the form was opened. */
function warnAll(article, change, text, next) {
  for (const form of heldForms(article)) {
    form.querySelector(".live-warning")?.remove();
    const words = document.createElement("p");
    if (!change) {
      words.append(text);
    } else if (change.origin === "external") {
      words.append(`This flag was edited outside of Flagboard at ${timeOf(change)}: now `, isolated(text), ".");
    } else {
      words.append(isolated(change.actor), ` changed this flag at ${timeOf(change)}: now `, isolated(text), ".");
    }
    const warning = element("div", "banner banner-warning live-warning", words);
    warning.setAttribute("role", "alert");
    if (change) warning.append(warningActions(article, form, next));
    form.prepend(warning);
  }
}

/** Tells whoever edits a definition that it is not what it was; what the manifest says has no provider. */
function warnOfDefinition(form, changes) {
  const change = changes.findLast((change) => change.key === form.dataset.flag && !change.provider);
  if (!change) return;
  const words = element("p", "");
  if (change.origin === "external") {
    words.append(`This definition was edited outside of Flagboard at ${timeOf(change)}. `);
  } else {
    words.append(isolated(change.actor), ` ${VERBS[change.kind] ?? "changed"} this flag at ${timeOf(change)}. `);
  }
  words.append("This form still shows what was before; saving it asks you to look at both.");
  warnOn(form, words, button("Load the definition of now", () => location.reload()));
}

/** Tells whoever looks at changes before they are made that a flag among them is not what it was. */
function warnOfPreview(form, changes) {
  const keys = new Set([...document.querySelectorAll("[data-changes]")].map((row) => row.dataset.changes));
  const change = changes.findLast((change) => keys.has(change.key) && (change.kind in VERBS || change.kind === "external"));
  if (!change) return;
  const words = element("p", "", isolated(sentence(change)), ` That was at ${timeOf(change)}, after this page was made: `);
  words.append("its changes are not made before you have looked at them anew.");
  const again = element("a", "button button-small", "Preview again");
  again.href = form.dataset.again;
  warnOn(form, words, again);
}

function warnOn(form, words, act) {
  const warning = element("div", "banner banner-warning live-warning", words, element("div", "actions", act));
  warning.setAttribute("role", "alert");
  form.querySelector(".live-warning")?.remove();
  form.prepend(warning);
}

function button(label, act) {
  const made = element("button", "button button-small", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function warningActions(article, form, next) {
  const show = button("Show", () => {
    const value = article.querySelector("[data-effective]");
    value?.scrollIntoView({ block: "center" });
    value?.focus({ preventScroll: true });
  });
  const discard = button("Discard mine", () => {
    const place = [...article.querySelectorAll("form")].indexOf(form);
    const other = next.querySelectorAll("form")[place];
    if (!other) return location.reload();
    replace(form, other).querySelector("[name=value]")?.focus();
  });
  return element("div", "actions", show, discard);
}

function rowsOf(page) {
  return new Map([...page.querySelectorAll("main .flag[data-flag]")].map((row) => [row.dataset.flag, row]));
}

/**
 * Puts a newer row in the place of one. What was said of a person's own change of it, with the way to take that back, stays
 * until somebody else changes it.
 */
function refreshRow(row, other, change) {
  const told = row.querySelector(":scope > .notice");
  const value = (row) => row.querySelector("[data-effective]")?.textContent;
  const isChanged = Boolean(change) || value(row) !== value(other);
  const focused = told?.contains(document.activeElement) ? document.activeElement : null;
  const made = replace(row, other);
  if (isChanged) made.classList.add("flash");
  else if (told) made.append(told);
  if (change) made.append(byLine(change));
  if (focused) (focused.isConnected ? focused : made.querySelector(".name")).focus({ preventScroll: true });
}

function refreshList(fresh, { changes, isReload, isStanding }) {
  const [old, next] = [rowsOf(document), rowsOf(fresh)];
  const keys = isReload || isStanding ? [...old.keys()] : new Set(changes.map((change) => change.key));
  const shown = [];
  for (const key of keys) {
    const [row, other] = [old.get(key), next.get(key)];
    if (!row || !other || row.isEqualNode(other)) continue;
    const change = changes.findLast((change) => change.key === key);
    refreshRow(row, other, change);
    if (change) shown.push(change);
  }
  const added = [...next.keys()].filter((key) => !old.has(key)).length;
  const gone = [...old.keys()].filter((key) => !next.has(key)).length;
  if (added + gone > 0) offer(fresh, `The list has changed: ${added} more, ${gone} fewer.`, "Show");
  for (const part of [".page-head .count", ".facets"]) {
    const [mine, other] = [document.querySelector(part), fresh.querySelector(part)];
    if (mine && other && !mine.contains(document.activeElement) && !mine.isEqualNode(other)) replace(mine, other);
  }
  refreshSelection(fresh);
  if (shown.length) say(summary(shown));
}

/** The form that the boxes of the rows belong to comes and goes with what may be changed. */
function refreshSelection(fresh) {
  const [mine, other] = [document.getElementById("selection"), fresh.getElementById("selection")];
  if (mine && !other) mine.remove();
  if (mine || !other) return;
  const listing = document.querySelector(".listing");
  listing.insertBefore(document.importNode(other, true), listing.querySelector(":scope > .pages"));
}

function byLine(change) {
  const who = change.origin === "external" ? "outside of Flagboard" : isolated(change.actor);
  return element("p", "live-by", "Changed just now: ", who, `, ${timeOf(change)}`);
}

function refreshHistory(fresh) {
  const query = new URLSearchParams(location.search);
  if (query.has("before") || query.has("after") || query.has("page")) return;
  const ids = (page) => [...page.querySelectorAll("main [data-change]")].map((row) => Number(row.dataset.change));
  const newest = Math.max(0, ...ids(document));
  const count = ids(fresh).filter((id) => id > newest).length;
  if (count > 0) offer(fresh, count === 1 ? "1 new change." : `${count} new changes.`, "Show", newest);
}

/** Offers to show a newer state of the page, rather than move what somebody reads. */
function offer(fresh, text, label, newest) {
  shownNew?.remove();
  const show = button(label, () => {
    shownNew?.remove();
    shownNew = null;
    const main = document.getElementById("main");
    merge(main, fresh.getElementById("main"));
    const rows = [...main.querySelectorAll("[data-change]")];
    const first = rows.find((row) => newest === undefined || Number(row.dataset.change) > newest);
    (first?.querySelector("a") ?? main).focus();
    document.dispatchEvent(new CustomEvent("flagboard:refreshed"));
  });
  shownNew = element("div", "banner banner-info live-more", element("p", "", text), show);
  shownNew.setAttribute("role", "status");
  document.querySelector("main .page-head").after(shownNew);
}

document.addEventListener("flagboard:changed", (event) => own.add(event.detail));
document.addEventListener("submit", (event) => {
  // Whoever sends the form without leaving the page keeps the browser from sending it, be it after this.
  setTimeout(() => {
    if (!event.defaultPrevented && changesSomething(event.target)) leftAt = Date.now();
  });
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(timer);
    disconnect();
  } else {
    wait = FIRST_WAIT;
    connect();
  }
});
addEventListener("pagehide", disconnect);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  leftAt = -LEAVING;
  connect();
});

if (lastRow !== undefined) connect();
