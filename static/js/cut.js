// A click on a track of the plan makes it the ego of the form; a form that takes a while says so.

const plan = document.getElementById("plan");
const ego = document.getElementById("ego");

plan.classList.add("plan--live");
plan.addEventListener("click", (event) => {
  const track = event.target.closest("[data-track]");
  if (track) {
    ego.value = track.dataset.track;
    mark();
  }
});
ego.addEventListener("change", mark);
window.addEventListener("pageshow", mark);

for (const form of document.querySelectorAll("form[data-busy-form]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button[data-busy]");
    // After the event: a disabled button could not send its form.
    setTimeout(() => {
      button.disabled = true;
      button.textContent = button.dataset.busy;
    }, 0);
  });
}

function mark() {
  for (const track of plan.querySelectorAll("[data-track]")) {
    track.classList.toggle("plan__track--chosen", track.dataset.track === ego.value);
  }
}
