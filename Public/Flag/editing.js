// Adds the scripts' behaviour to the forms that change a flag.

import { offerCopies } from "./copying.js";

let editors = null;

/** Does so within an element, once to each form. */
async function equip(element) {
  offerCopies(element);
  const forms = element.matches("form[data-editor]") ? [element] : [...element.querySelectorAll("form[data-editor]")];
  if (!forms.length) return;
  // From here on nothing is awaited: the caller goes on with the element as it is now.
  editors ??= await import("./editors.js");
  for (const form of forms) editors.equip(form);
}

document.addEventListener("flagboard:placed", (event) => equip(event.target));
equip(document.body);
