// What a person has entered in a form and not sent yet.

/** Whether a field that is sent holds something else than the page came with. */
function isFieldChanged(field) {
  // What was typed in a field of the script's own and is wrong is in no field that is sent.
  if (field.validity?.customError) return true;
  if (!field.name || field.type === "hidden" || field.disabled) return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type === "file") return field.files.length > 0;
  if (field.localName === "select") {
    const options = [...field.options];
    const named = options.some((option) => option.defaultSelected);
    // Where the page names no option, the first one is what it came with.
    return options.some((option, place) => option.selected !== (named ? option.defaultSelected : place === 0));
  }
  return "defaultValue" in field && field.value !== field.defaultValue;
}

/** Whether a person has changed anything in a form. */
export function isChanged(form) {
  return [...form.elements].some(isFieldChanged);
}

/**
 * Whether a form must not be replaced: it was changed, one of its fields has the focus, or it came back because what was
 * typed was refused.
 */
export function isHeld(form) {
  const active = document.activeElement;
  const isEntered = form.contains(active) && active.matches("input:not([type=hidden]), textarea, select");
  return isEntered || isChanged(form) || form.querySelector("[aria-invalid=true], #form-problem, .conflict") !== null;
}

/** Whether a form may change something. */
export function changesSomething(form) {
  return form.method === "post";
}
