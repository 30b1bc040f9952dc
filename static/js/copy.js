// Buttons that copy a text; without scripts they stay hidden, and the text can be selected by hand.

const SHOWN_MS = 1600;

const status = document.getElementById("copied");

for (const field of document.querySelectorAll("input[readonly]")) {
  field.addEventListener("focus", () => field.select());
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}

async function copy(button) {
  status.textContent = ""; // so that a second copy is announced like the first
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    status.textContent = status.dataset.done;
    show(button, status.dataset.done);
  } catch {
    button.parentElement.querySelector("input")?.select();
    status.textContent = status.dataset.refused;
    show(button, status.dataset.failed);
  }
}

function show(button, words) {
  button.dataset.label ??= button.textContent;
  button.textContent = words;
  setTimeout(() => (button.textContent = button.dataset.label), SHOWN_MS);
}
