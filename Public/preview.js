// Changes that were refused stand at an address that can't be loaded again; that of their preview can.

const form = document.querySelector("form.batch-form[data-again]");
if (form && location.pathname + location.search !== form.dataset.again) {
  history.replaceState(history.state, "", form.dataset.again);
}
