// A form marked data-once is sent once, however often it is clicked. A page that the browser
// brings back from its memory is stale: the server decides which step comes next.

const PATIENCE_MS = 10_000; // then the request is taken for lost; sending it again is harmless

for (const form of document.querySelectorAll("form[data-once]")) {
  let sent = false;

  form.addEventListener("submit", (event) => {
    if (sent) {
      event.preventDefault();
      return;
    }
    sent = true;
    // After the event: a disabled button would be missing from what is sent.
    setTimeout(() => showBusy(form, event.submitter), 0);
    setTimeout(() => {
      sent = false;
      showReady(form);
    }, PATIENCE_MS);
  });
}

window.addEventListener("pageshow", (event) => {
  if (event.persisted) {
    location.reload();
  }
});

function showBusy(form, pressed) {
  for (const button of form.querySelectorAll("button")) {
    button.disabled = true;
    button.dataset.label = button.textContent;
  }
  const button = pressed ?? form.querySelector("button[data-busy]");
  button.textContent = button.dataset.busy ?? button.textContent;
}

function showReady(form) {
  for (const button of form.querySelectorAll("button")) {
    button.disabled = false;
    button.textContent = button.dataset.label ?? button.textContent;
  }
}
