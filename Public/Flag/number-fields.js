// A number field drops characters that no number has, so that 1,5 becomes 15 unseen. At the first such character the field
// becomes a text field, which keeps it; the server says what is wrong with it.

/** Anything that browsers don't take into a field of numbers. */
const FOREIGN = /[^\d+\-.eE]/u;

/** Where in a field something is to be put, as far as a field of numbers tells: what is selected in it, else its end. */
function place(value) {
  const selected = getSelection()?.toString() ?? "";
  const start = selected === "" ? -1 : value.lastIndexOf(selected);
  return start < 0 ? [value.length, value.length] : [start, start + selected.length];
}

document.addEventListener("beforeinput", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || field.type !== "number" || !FOREIGN.test(event.data ?? "")) return;
  const [start, end] = place(field.value);
  field.type = "text";
  for (const name of ["min", "max", "step"]) field.removeAttribute(name);
  field.setSelectionRange(start, end);
});
