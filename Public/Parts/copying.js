// A copy button beside each element with `data-copy`, the name of its content; `data-copy-text` is the text where it differs.
// A link's content is the text at its address, which is only fetched to be copied.

async function textAt(address) {
  const answer = await fetch(address);
  // A page to sign in is no such text.
  if (!answer.ok || answer.redirected) throw new Error(`${answer.status}`);
  return answer.text();
}

const isLink = (element) => element.matches("a[href]");

/** Some browsers copy only within a press, without waiting for an answer, but take the promise of a text. */
async function copy(element) {
  if (!isLink(element)) return navigator.clipboard.writeText(element.dataset.copyText ?? element.textContent);
  const text = textAt(element.href).then((found) => new Blob([found], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}

function copyButton(element) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy the ${element.dataset.copy}`);
  const said = document.createElement("span");
  said.className = "unseen";
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await copy(element);
      button.textContent = "Copied";
      said.textContent = `Copied the ${element.dataset.copy}.`;
    } catch (error) {
      if (isLink(element)) {
        console.info(`Nothing was copied: ${error}`);
        button.textContent = "Not copied";
        said.textContent = `Can’t copy the ${element.dataset.copy}. Use “${element.textContent}” and copy it there.`;
      } else {
        // The browser may not allow it: what is selected can be copied by hand.
        getSelection().selectAllChildren(element);
        button.textContent = "Selected";
        said.textContent = `Your browser blocked copying. The ${element.dataset.copy} is selected: press Ctrl+C or ⌘C.`;
      }
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return [button, said];
}

const offered = new WeakSet();

// A search brings new addresses.
document.addEventListener("flagboard:listing", () => offerCopies(document.body));

/** Adds the buttons to what is in an element and has none yet, where the browser can copy at all. */
export function offerCopies(root) {
  if (!navigator.clipboard) return;
  for (const element of root.querySelectorAll("[data-copy]")) {
    if (offered.has(element)) continue;
    offered.add(element);
    element.after(...copyButton(element));
  }
}
