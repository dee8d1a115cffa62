// Shows in the open page what other people, the app and editors change.

import { toFlags, toHistory } from "./addresses.js";
import { changesSomething } from "./forms.js";
import { ask, follow, stand } from "./live-stream.js";
import { tellBack, tellGone, warnOfDefinition, warnOfFlag, warnOfPreview } from "./live-warnings.js";
import { button, changesFlag, element, isolated, say, summary, timeOf } from "./live-words.js";
import { refreshOwnChange } from "./own-change.js";
import { heldForms, merge, replace } from "./page-refresh.js";

/** How long there is between two looks at the server, so that a program that writes all the time costs little. */
const PAUSE = 300;
/** For how long a form that this page has sent may take to lead elsewhere. */
const LEAVING = 10000;
/** What says around the rows of a list how many there are. */
const COUNTING = [".page-head .count", ".export-link", ".criteria", ".facets"];

/** The rows of the history that this page has made, which it shows in its own way. */
const own = new Set();
let waiting = nothing();
let isRefreshing = false;
let leftAt = -LEAVING;
let shownNew = null;

follow({
  "flag-changed": (change) => wait((news) => news.changes.push(change)),
  history: (change) => wait((news) => news.changes.push(change)),
  reload: () => wait((news) => (news.isReload = true)),
  standing: () => wait((news) => (news.isStanding = true)),
});

document.addEventListener("flagboard:changed", (event) => {
  own.add(event.detail);
  // The row shows it already, but not the counts of the list.
  wait((news) => (news.isOwn = true));
});
document.addEventListener("submit", (event) => {
  // A script that sends the form itself keeps the browser from sending it, perhaps after this listener.
  setTimeout(() => {
    if (!event.defaultPrevented && changesSomething(event.target)) leftAt = Date.now();
  });
});
addEventListener("pageshow", () => (leftAt = -LEAVING));
// What a search has just listed is the list of now.
document.addEventListener("flagboard:listing", withdraw);

/** What is to be shown, while that is nothing. */
function nothing() {
  return { changes: [], isReload: false, isStanding: false, isOwn: false };
}

/** Whether anything is to be shown. */
function isAny({ changes, isReload, isStanding, isOwn }) {
  return changes.length > 0 || isReload || isStanding || isOwn;
}

/** Notes an event, and shows it together with those of the next moment. */
function wait(note) {
  note(waiting);
  setTimeout(refresh, 100);
}

/** This page's own address, without what is shown only once. */
function address() {
  const url = new URL(location.href);
  url.searchParams.delete("saved");
  url.searchParams.delete("noted");
  url.searchParams.delete("at");
  url.hash = "";
  return url;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/** Whether the page waits for the answer to a form of its own, which shows what became of it. */
function isSending() {
  return Date.now() - leftAt < LEAVING || document.querySelector("main [aria-busy=true]") !== null;
}

async function refresh() {
  if (isRefreshing || !isAny(waiting)) return;
  isRefreshing = true;
  try {
    while (isSending()) await pause();
    const news = waiting;
    waiting = nothing();
    news.changes = news.changes.filter((change) => !own.has(String(change.id)));
    await bringUpToDate(news);
    await pause();
  } finally {
    isRefreshing = false;
  }
  setTimeout(refresh, 0);
}

async function bringUpToDate(news) {
  if (!isAny(news)) return;
  warnOfDefinition(news.changes);
  warnOfPreview(news.changes);
  if (news.changes.length || news.isReload) offerComparison(news);
  const article = document.querySelector("main > article[data-flag]");
  const about = article ? news.changes.filter((change) => isAbout(article.dataset.flag, change)) : news.changes;
  const isFollowed = article !== null || [toFlags, toHistory].includes(location.pathname);
  const isOld = isFollowed && (about.length > 0 || news.isReload || news.isOwn);
  if (!isOld && !news.isStanding) return;
  const asked = address();
  const answer = await ask(asked);
  if (article && answer?.status === 404) return tellGone(article, about, await pageOf(answer));
  if (!answer?.ok || answer.redirected) return;
  const fresh = await pageOf(answer);
  // A search may have replaced the list in the meantime.
  if (address().href !== asked.href) return bringUpToDate(news);
  refreshNotices(fresh);
  if (!isFollowed) return;
  if (article) refreshFlag(article, fresh, about, news);
  else if (location.pathname === toFlags) refreshList(fresh, news);
  else refreshHistory(fresh);
  document.dispatchEvent(new CustomEvent("flagboard:refreshed"));
}

/** The page that the server has answered with. */
async function pageOf(answer) {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Whether a change is of a flag, or of what it stands in. */
function isAbout(key, change) {
  return key === change.key || key.startsWith(`${change.key}/`);
}

/** What holds for all pages: whether a file can't be read, what waits for a restart of the app, and the like. */
function refreshNotices(fresh) {
  stand(fresh.body.dataset.standing);
  refreshOwnChange(fresh);
  const [old, next] = [document, fresh].map((page) => page.getElementById("notices"));
  if (!next) return old?.remove();
  const made = document.importNode(next, true);
  if (!old) return document.getElementById("main").prepend(made);
  const [before, after] = [old, made].map((notices) => [notices, ...notices.querySelectorAll("details")]);
  after.forEach((details, place) => {
    if (before[place]) details.open = before[place].open;
  });
  if (!old.isEqualNode(made)) replace(old, made);
}

function refreshFlag(article, fresh, changes, news) {
  const next = fresh.querySelector("main > article[data-flag]");
  if (!next) return;
  tellBack();
  const last = changes.findLast(changesFlag);
  if (last) warnOfFlag(article, last, next);
  merge(article, next);
  if (changes.length) say(summary(changes));
  else if (news.isReload) say("Page updated.");
}

/** The rows of a list, by their flags; those of a comparison stay as they are. */
function rowsOf(page) {
  const rows = page.querySelectorAll("main .flag[data-flag], main .matrix [data-flag]:not([data-difference])");
  return new Map([...rows].map((row) => [row.dataset.flag, row]));
}

/**
 * Puts a newer row in the place of one. The notice of this page's own change, with its Undo, stays until another person
 * changes the flag.
 */
function refreshRow(row, other, change) {
  const told = row.querySelector(":scope > .notice");
  const state = (row) => row.querySelector(".switch")?.textContent;
  const value = (row) => row.querySelector("[data-effective]")?.textContent ?? state(row);
  const isChanged = Boolean(change) || value(row) !== value(other);
  const focused = told?.contains(document.activeElement) ? document.activeElement : null;
  // What is being typed in the open row stays.
  const made = heldForms(row).length > 0 ? merge(row, other) : replace(row, other);
  if (isChanged) made.classList.add("flash");
  else if (told) made.append(told);
  if (change) (made.cells?.[0] ?? made).append(byLine(change));
  if (focused) (focused.isConnected ? focused : made.querySelector(".name")).focus({ preventScroll: true });
}

function refreshList(fresh, news) {
  // A row that this page changed stays where it is, with its Undo.
  const isOthers = isAny({ ...news, isOwn: false });
  if (isOthers) refreshRows(fresh, news);
  if (isOthers || shownNew) offerList(fresh);
  for (const part of COUNTING) {
    const [mine, other] = [document.querySelector(part), fresh.querySelector(part)];
    if (mine && other && !mine.contains(document.activeElement) && !mine.isEqualNode(other)) replace(mine, other);
  }
  refreshSelection(fresh);
}

function refreshRows(fresh, { changes, isReload, isStanding }) {
  const [old, next] = [rowsOf(document), rowsOf(fresh)];
  const keys = isReload || isStanding ? [...old.keys()] : new Set(changes.map((change) => change.key));
  const shown = [];
  for (const key of keys) {
    const [row, other] = [old.get(key), next.get(key)];
    if (!row || !other || row.isEqualNode(other)) continue;
    const change = changes.findLast((change) => change.key === key && changesFlag(change));
    refreshRow(row, other, change);
    if (change) shown.push(change);
  }
  if (shown.length) say(summary(shown));
}

/** Offers the list of now where it has other flags than the page, or another order; takes that back where it has the same. */
function offerList(fresh) {
  const [old, next] = [rowsOf(document), rowsOf(fresh)];
  const added = [...next.keys()].filter((key) => !old.has(key)).length;
  const gone = [...old.keys()].filter((key) => !next.has(key)).length;
  const [before, after] = [old, next].map((rows) => [...rows.keys()].join("\n"));
  const counts = [added > 0 ? `${added} added` : "", gone > 0 ? `${gone} removed` : ""].filter(Boolean);
  if (counts.length > 0) offerRows(`The list has changed: ${counts.join(", ")}.`);
  else if (before !== after) offerRows("The order of the list has changed.");
  else withdraw();
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
  const words = change.origin === "external" ? ["Edited outside Flagboard"] : ["Changed by ", isolated(change.actor)];
  return element("p", "live-by", ...words, ` at ${timeOf(change)}`);
}

function refreshHistory(fresh) {
  const query = new URLSearchParams(location.search);
  if (query.has("before") || query.has("after") || query.has("page")) return;
  const ids = (page) => [...page.querySelectorAll("main [data-change]")].map((row) => Number(row.dataset.change));
  const newest = Math.max(0, ...ids(document));
  const count = ids(fresh).filter((id) => id > newest).length;
  if (count > 0) offerRows(count === 1 ? "1 new change." : `${count} new changes.`, newest);
}

/**
 * A comparison of providers or with the past stays as it is until it is asked for again, and so does the page of a change
 * that later changes have followed.
 */
function offerComparison({ changes, isReload }) {
  const change = document.querySelector("main > article[data-about]");
  const isTold = change && (isReload || changes.some((other) => isAbout(change.dataset.about, other)));
  const isReason = !isReload && changes.every(({ kind }) => kind === "note");
  if (!isTold && (isReason || !document.querySelector("main .extents"))) return;
  const news = isReason ? "A reason was added" : "Flags have changed";
  offer(`${news} since this page was loaded.`, async () => {
    const fresh = await pageOfNow();
    if (!fresh) return;
    const main = document.getElementById("main");
    const next = change ? merge(main, fresh.getElementById("main")) : replace(main, fresh.getElementById("main"));
    next.focus();
  });
}

/** The page that the server would answer with now, in the place of which an offer goes; `null` where another is shown. */
async function pageOfNow() {
  const asked = address();
  const answer = await ask(asked);
  if (!answer?.ok || answer.redirected) {
    location.reload();
    return null;
  }
  const fresh = await pageOf(answer);
  // A search has listed what there is now.
  if (address().href !== asked.href) return null;
  withdraw();
  return fresh;
}

/**
 * Offers to show the rows that the page would have now, whenever that is; then the first of those above a row of the
 * history has the focus.
 */
function offerRows(text, newest) {
  offer(text, async () => {
    const fresh = await pageOfNow();
    if (!fresh) return;
    const main = document.getElementById("main");
    merge(main, fresh.getElementById("main"));
    const rows = [...main.querySelectorAll("[data-change]")];
    const first = rows.find((row) => newest === undefined || Number(row.dataset.change) > newest);
    (first?.querySelector("a") ?? main).focus();
    document.dispatchEvent(new CustomEvent("flagboard:refreshed"));
  });
}

/** Offers a newer state of the page, since replacing it would move what is being read. */
function offer(text, show) {
  if (shownNew?.querySelector("p").textContent === text) return;
  shownNew?.remove();
  shownNew = element("div", "banner banner-info live-more", element("p", "", text), button("Show", show));
  shownNew.setAttribute("role", "status");
  document.querySelector("main .page-head").after(shownNew);
}

/** Takes an offer back that says nothing new any more. */
function withdraw() {
  shownNew?.remove();
  shownNew = null;
}
