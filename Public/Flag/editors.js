// What makes a flag's field handier: a slider, pickers for colours and dates, a file for data, rows for arrays and
// dictionaries. Each works on the field `value`, which is all that is sent.

import { JSONFault, format, parse, storageProblem } from "./json-text.js";
import { colourJSON } from "./json-colours.js";
import { rowsEditor } from "./json-rows.js";
import { tabs } from "./tabs.js";

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Tells the listeners of a field that its content changed. */
function put(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A slider between both bounds. */
function slide(field) {
  const { minimum, maximum } = field.dataset;
  const [least, most] = [Number(minimum), Number(maximum)];
  if (!minimum || !maximum || !(least < most)) return;
  const step = field.dataset.step === "any" ? 10 ** Math.floor(Math.log10((most - least) / 50)) : 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const range = make("input", { type: "range", min: least, max: most, step, value: field.value || least });
  range.setAttribute("aria-label", "Value slider");
  range.addEventListener("input", () => put(field, range.valueAsNumber.toFixed(digits)));
  field.addEventListener("input", () => {
    if (document.activeElement !== range && Number.isFinite(Number(field.value || "?"))) range.value = field.value;
  });
  field.closest(".field").after(make("div", { className: "slider" }, minimum, range, maximum));
}

/** A browser's picker beside the text of a colour, which it writes and follows. */
function pickColour(field, colour) {
  const whole = /^#[0-9a-f]{6}$/i;
  const picker = make("input", { type: "color", value: colour });
  picker.setAttribute("aria-label", "Pick a colour");
  picker.addEventListener("input", () => {
    const hasCapitals = /[A-F]/.test(field.value) && !/[a-f]/.test(field.value);
    put(field, hasCapitals ? picker.value.toUpperCase() : picker.value);
  });
  field.addEventListener("input", () => {
    if (whole.test(field.value)) picker.value = field.value.toLowerCase();
  });
  field.closest(".field").classList.add("colour-field");
  field.after(picker);
}

/** A moment of UTC; `Date.UTC` takes the years up to 99 for those of the last century. */
function utc(year, month, day, hour, minute, second) {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/**
 * The moment that a text names, read as the server does; a day alone is its start in UTC.
 *
 * @returns `{moment}`, `{problem}` where there is no such day or time, or nothing where the text is no date at all.
 */
function readDate(text) {
  const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|([+-])(\d\d):(\d\d))?)?$/;
  const found = form.exec(text.trim());
  if (!found) return {};
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const moment = utc(year, month, day, hour, minute, second);
  const isDay = new Date(utc(year, month, day, 0, 0, 0)).toISOString().startsWith(text.trim().slice(0, 10));
  if (!isDay || year === 0) return { problem: `${text.trim().slice(0, 10)} isn’t a date.` };
  const [east, west] = [Number(found[8] ?? 0), Number(found[9] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || east > 23 || west > 59) return { problem: "This time doesn’t exist. Pick another one." };
  return { moment: moment - (found[7] === "-" ? -1 : 1) * (east * 60 + west) * 60000 };
}

/** The offset of a zone from UTC at a moment, in milliseconds. */
function offset(zone, moment) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map((part) => [part.type, Number(part.value)]));
  const local = utc(parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second);
  return local - Math.floor(moment / 1000) * 1000;
}

/** The moment at which a zone's clocks show a time, given as if it were one in UTC; `null` where they never do. */
function momentIn(zone, local) {
  const day = 86400000;
  const moments = [-day, day].map((shift) => local - offset(zone, local + shift));
  const found = moments.filter((at) => at + offset(zone, at) === local);
  return found.length ? Math.min(...found) : null;
}

/** Whether a zone's clocks show a time twice. */
function isTwice(zone, local) {
  const first = momentIn(zone, local);
  const later = first === null ? null : [1, 2, 3].map((hours) => first + hours * 1800000);
  return later?.some((at) => at + offset(zone, at) === local) ?? false;
}

/** The fields of the picker write the text, and follow it. */
function pick(field, form) {
  const [picked, zones] = [form.elements.picked, form.elements.zone];
  if (!picked) return;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const there = [...zones.options].find((option) => option.value === own);
  if (own && own !== "UTC") {
    const selected = there?.selected ?? false;
    there?.remove();
    zones.options[0].after(make("option", { value: own, textContent: `${own} (this browser)`, selected }));
  }
  // What is sent is the text alone; the form's own rule is for browsers without a script.
  picked.removeAttribute("name");
  zones.removeAttribute("name");
  const said = make("p", { className: "hint" });
  said.setAttribute("role", "status");
  zones.closest(".picker").append(said);
  const tell = (problem) => {
    said.className = problem ? "problem" : "hint";
    said.textContent = problem;
  };
  const show = () => {
    const { moment, problem } = readDate(field.value);
    const local = moment === undefined ? undefined : moment + offset(zones.value, moment);
    picked.value = local === undefined ? "" : new Date(Math.floor(local / 1000) * 1000).toISOString().slice(0, 19);
    picked.setCustomValidity("");
    tell(problem ?? "");
  };
  const write = () => {
    const moment = picked.value ? momentIn(zones.value, Date.parse(`${picked.value.padEnd(19, ":00")}Z`)) : undefined;
    const problem = moment === null ? `This time doesn’t exist in ${zones.value} (clocks go forward).` : "";
    picked.setCustomValidity(problem);
    tell(problem);
    if (moment && isTwice(zones.value, Date.parse(`${picked.value.padEnd(19, ":00")}Z`))) {
      said.textContent = "This time occurs twice; the earlier one is used.";
    }
    if (moment === undefined) return;
    // A date that was picked earlier is no longer meant.
    field.value = moment === null ? "" : new Date(moment).toISOString().replace(/\.000Z$/, "Z");
  };
  field.addEventListener("input", show);
  picked.addEventListener("input", write);
  zones.addEventListener("change", () => (picked.value ? write() : show()));
  // A time may have been picked before this was there, or be kept by a browser that went back.
  if (picked.value && picked.value !== picked.defaultValue) write();
  else show();
}

/** Bytes as the server shows them. */
function hexLines(bytes) {
  const lines = [];
  for (let start = 0; start < Math.min(bytes.length, 256); start += 16) {
    const row = [...bytes.slice(start, Math.min(start + 16, 256))];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const signs = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${start.toString(16).padStart(4, "0")}  ${digits.padEnd(47)}  ${signs}`);
  }
  return lines.join("\n");
}

/**
 * The bytes that a text stands for, read as the server does: white space may stand anywhere, but no group is cut short.
 *
 * @returns `{bytes}`, or `{problem}` where the text is no base64.
 */
function readData(text) {
  // Bytes in hexadecimal would be taken for base64 of other bytes.
  if (/^[0-9A-Fa-f]{2}(\p{White_Space}+[0-9A-Fa-f]{2})+$/u.test(text.trim())) {
    return { problem: "enter data in base64; this looks like hexadecimal." };
  }
  const problem = "this isn’t valid base64. Use groups of four characters, such as AAEC or AA==.";
  const signs = text.replace(/\p{White_Space}/gu, "");
  if (signs.length % 4 !== 0) return { problem };
  try {
    return { bytes: Uint8Array.from(atob(signs), (sign) => sign.charCodeAt(0)) };
  } catch {
    return { problem };
  }
}

/** Reads a file into the field, and shows what the field holds byte by byte. */
function takeData(field, form) {
  const limit = Number(form.dataset.limit);
  const said = make("span");
  said.setAttribute("role", "status");
  const view = make("pre", { className: "hex", tabIndex: 0, hidden: true });
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", "Bytes of the field: offset, hexadecimal, ASCII");
  const tell = (text, isWrong = false) => {
    said.className = isWrong ? "verdict-bad" : "";
    said.textContent = text;
  };
  const show = () => {
    const { bytes, problem } = readData(field.value);
    // What is stored stands on the page already.
    view.hidden = !bytes?.length || field.value === field.defaultValue;
    if (problem) return tell(`${problem[0].toUpperCase()}${problem.slice(1)}`, true);
    view.textContent = hexLines(bytes);
    const count = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
    tell(`${count}${bytes.length > 256 ? ". The first 256 are below." : ""}`);
  };
  const file = form.querySelector("#value-file");
  // What is sent is the text alone, which a person has seen.
  file.removeAttribute("name");
  form.querySelector("#file-hint").textContent = `Up to ${limit / 1024} KB. You can review it before saving.`;
  const read = async () => {
    const chosen = file.files[0];
    if (!chosen) return;
    if (chosen.size > limit) {
      tell(`${chosen.name} has ${chosen.size} bytes; the limit is ${limit}. Choose a smaller file.`, true);
      return;
    }
    let binary = "";
    for (const byte of new Uint8Array(await chosen.arrayBuffer())) binary += String.fromCharCode(byte);
    put(field, btoa(binary));
  };
  file.addEventListener("change", read);
  field.addEventListener("input", show);
  file.closest(".field").after(make("div", { className: "helpers" }, said), view);
  show();
  // A file may have been chosen before this was there, or be kept by a browser that went back.
  read();
}

/** Checks JSON as it is typed, and lays it out on demand. */
function checkJSON(field, form) {
  const verdict = make("span");
  verdict.setAttribute("role", "status");
  const tidy = make("button", { type: "button", className: "button button-small", textContent: "Format" });
  tidy.setAttribute("aria-label", "Format the JSON on indented lines");
  const wanted = { array: ["array"], dictionary: ["object"] }[form.dataset.editor] ?? ["array", "object"];
  let late;
  let areRowsWrong = () => false;
  /** Data holds JSON as text, with all that property lists can't hold; the server alone judges an empty layout. */
  const isJSON = form.dataset.editor === "json";
  const isText = isJSON && form.dataset.layout !== "dictionary";
  const judge = () => {
    clearTimeout(late);
    let [problem, value] = ["", null];
    try {
      value = parse(field.value);
      if (!wanted.includes(value.kind)) problem = `enter a JSON ${wanted.join(" or ")}`;
      else if (!isText) problem = storageProblem(value) ?? "";
      if (isJSON && problem.startsWith("null at ")) problem += ", or set storage to data in the flag's definition";
    } catch (fault) {
      if (!(fault instanceof JSONFault)) throw fault;
      problem = fault.message;
    }
    // To lay out the text would drop what the rows hold and the text does not.
    tidy.disabled = !value || areRowsWrong();
    verdict.className = problem || areRowsWrong() ? "verdict-bad" : "verdict-good";
    verdict.textContent = problem ? `${problem[0].toUpperCase()}${problem.slice(1)}` : "Valid JSON";
    if (areRowsWrong()) verdict.textContent = "Fix the highlighted item first.";
  };
  tidy.addEventListener("click", () => {
    judge();
    if (!tidy.disabled) put(field, format(parse(field.value)));
  });
  field.addEventListener("input", () => {
    clearTimeout(late);
    late = setTimeout(judge, 250);
  });
  const helpers = make("div", { className: "helpers" }, tidy, verdict);
  field.closest(".field").after(helpers);
  if (form.dataset.editor !== "json") {
    const { box, isWrong, isReadable } = rowsEditor(field, form.dataset.editor === "dictionary", put, judge);
    areRowsWrong = isWrong;
    const asJSON = make("div");
    field.closest(".field").before(box, asJSON);
    asJSON.append(field.closest(".field"), helpers, form.querySelector("#value-hint"));
    // A refused text, or one too long for items, is shown as it is.
    const isForJSON = box.disabled || field.getAttribute("aria-invalid") === "true";
    const mayShow = (place) => {
      const isShown = place === 1 || isReadable();
      if (!isShown) {
        judge();
        verdict.textContent = `Fix the JSON first. ${verdict.textContent}`;
      }
      return isShown;
    };
    tabs([["Items", box], ["JSON", asJSON]], isForJSON ? 1 : 0, mayShow);
  }
  colourJSON(field);
  judge();
  // Of a refused text, the page says already what is wrong.
  if (field.getAttribute("aria-invalid") === "true") verdict.textContent = "";
}

/** What the field holds on the page that a link leads to; `null` where that can't be told, or the field is another one. */
async function suggested(link, field) {
  try {
    const answer = await fetch(link.href);
    if (!answer.ok || answer.redirected) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const other = page.querySelector("form[data-editor] [name=value]");
    return other?.type === field.type ? other.value : null;
  } catch {
    return null;
  }
}

/** Puts a suggestion into the field, where its link would load the page anew, without the reason that was typed. */
function takeSuggestions(field, form) {
  let chosen = null;
  form.addEventListener("click", async (event) => {
    const link = event.target.closest("a.suggestion");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    chosen = link;
    const text = await suggested(link, field);
    if (chosen !== link) return;
    // The form may have been replaced in the meantime.
    if (text === null || !field.isConnected) return location.assign(link.href);
    put(field, text);
    field.focus();
  });
}

const equipped = new WeakSet();

/** Equips the form of a flag, once. */
export function equip(form) {
  const field = form.querySelector("[name=value]");
  if (!field || equipped.has(form)) return;
  equipped.add(form);
  const type = form.dataset.editor;
  const focused = form.contains(document.activeElement) ? document.activeElement : null;
  if (type === "integer" || type === "double") slide(field);
  if (form.dataset.colour) pickColour(field, form.dataset.colour);
  if (type === "date") pick(field, form);
  if (type === "data") takeData(field, form);
  if (["array", "dictionary", "json"].includes(type)) checkJSON(field, form);
  if (field.type !== "radio") takeSuggestions(field, form);
  // A field that was moved has lost the focus.
  if (focused !== document.activeElement) focused?.focus();
}
