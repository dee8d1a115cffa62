// What unfolds with a field in it takes the focus there: a person who goes on to type means that field.

const FIELDS = "input:not([type=hidden]), textarea, select";

/** The fields of what unfolds, less those of other parts in it, such as rows of a list. */
function fieldsIn(details) {
  return [...details.querySelectorAll(FIELDS)].filter((field) => field.closest("details, .flag") === details);
}

function focusFirst(fields) {
  const seen = fields.filter((field) => !field.disabled && (field.checkVisibility?.() ?? field.offsetParent !== null));
  // Of radio buttons, the chosen one has the focus.
  const chosen = seen.find((field) => field.type === "radio" && field.name === seen[0].name && field.checked);
  (chosen ?? seen[0])?.focus();
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.("summary, a[href]");
  const details = pressed?.matches("summary") ? pressed.parentElement : null;
  if (!details || details.open || event.defaultPrevented) return;
  const fields = fieldsIn(details);
  if (fields.length === 0) return;
  // Unfolded at once, so that no key gets in between.
  event.preventDefault();
  details.open = true;
  focusFirst(fields);
});
