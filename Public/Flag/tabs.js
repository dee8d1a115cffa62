// Shows one of several parts of a form at a time, by tabs that the arrow keys move between (ARIA Authoring Practices).

let count = 0;

/**
 * Puts tabs before the first part.
 *
 * @param parts Pairs of a label and an element.
 * @param start The place of the part to show first.
 * @param mayShow Whether the part at a place can be shown now; where it can't, the one that is shown stays.
 */
export function tabs(parts, start, mayShow) {
  const bar = document.createElement("div");
  bar.className = "form-tabs";
  bar.setAttribute("role", "tablist");
  bar.setAttribute("aria-label", "Edit as");
  const buttons = parts.map(([label, part]) => {
    count += 1;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", id: `tab-${count}`, textContent: label });
    button.setAttribute("role", "tab");
    part.id ||= `tab-part-${count}`;
    button.setAttribute("aria-controls", part.id);
    part.setAttribute("aria-labelledby", button.id);
    return button;
  });
  const show = (place) => {
    parts.forEach(([, part], index) => {
      part.hidden = index !== place;
      buttons[index].setAttribute("aria-selected", String(index === place));
      buttons[index].tabIndex = index === place ? 0 : -1;
    });
  };
  const choose = (place) => {
    if (mayShow(place)) show(place);
    buttons.find((button) => button.tabIndex === 0).focus();
  };
  buttons.forEach((button, place) => button.addEventListener("click", () => choose(place)));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose((buttons.indexOf(event.target) + step + buttons.length) % buttons.length);
  });
  bar.append(...buttons);
  parts[0][1].before(bar);
  show(start);
}
