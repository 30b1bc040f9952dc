// A button that copies the completion code; without it the field can be selected by hand.

const code = document.getElementById("code");
const button = document.getElementById("copy");
const copied = document.getElementById("copied");

code.addEventListener("focus", () => code.select());
button.hidden = false;
button.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(code.value);
    copied.textContent = button.dataset.copied;
  } catch {
    code.select();
    copied.textContent = button.dataset.selected;
  }
});
