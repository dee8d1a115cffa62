// Times as the person who looks reads them: in their time zone, also on the first page, before the server knows it; and words
// such as "3 minutes ago" are kept true while the page stays open.

import { zoned } from "./zoned.js";

const UNITS = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [2678400, 86400, "day"],
];
const AGO = /^(just now|\d+ (second|minute|hour|day)s? ago)$/;
const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\S*$/;
/** The time of day in a line of the history, whose full time is its title. */
const LINE = /^\d\d:\d\d$/;
/** How often the words are looked at, in milliseconds. */
const PAUSE = 10_000;

/** How long ago so many seconds are, as the server says it; `null` where it gives the time itself. */
function ago(seconds) {
  if (seconds < -5) return null;
  if (seconds < 10) return "just now";
  const unit = UNITS.find(([below]) => seconds < below);
  if (!unit) return null;
  const number = Math.floor(seconds / unit[1]);
  return `${number} ${unit[2]}${number === 1 ? "" : "s"} ago`;
}

/** What an element that tells a time is to say; `null` where that is none of a page's usual words. */
function words(element, date) {
  if (AGO.test(element.textContent)) return ago((Date.now() - date.getTime()) / 1000);
  if (!CLOCK.test(element.textContent)) return null;
  const { day, clock, offset } = zoned(date);
  return `${day} ${clock} ${offset}`;
}

/** Tells a line's time in the zone; one of another day than that of the heading above it is told with its day. */
function tellLine(element, date) {
  const { day, clock, offset } = zoned(date);
  const title = `${day} ${clock} ${offset}`;
  if (element.title.startsWith(title)) return;
  const heading = element.closest(".day")?.querySelector("h2 time")?.dateTime ?? day;
  element.textContent = heading === day ? clock.slice(0, 5) : `${day} ${clock.slice(0, 5)}`;
  element.title = `${title} (${element.title})`;
}

function refresh() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    if (LINE.test(element.textContent)) tellLine(element, date);
    const text = words(element, date);
    if (text !== null && text !== element.textContent) element.textContent = text;
    if (text !== null && element.title === "") element.title = `${element.dateTime.replace("T", " ").replace("Z", "")} UTC`;
  }
}

setInterval(refresh, PAUSE);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("flagboard:placed", refresh);
document.addEventListener("flagboard:refreshed", refresh);
document.addEventListener("flagboard:listing", refresh);
refresh();
