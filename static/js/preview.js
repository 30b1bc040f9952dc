// Plays a clip above the page; without scripts its link leads to the file.

const dialog = document.getElementById("preview");
const video = document.getElementById("preview-video");
const name = document.getElementById("preview-name");

// On the document: the links are replaced while the page is open.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-preview]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  name.textContent = link.dataset.preview;
  video.src = link.href;
  dialog.showModal();
  video.play().catch(() => {}); // the controls are there if the browser wants a click first
});
dialog.addEventListener("close", () => {
  video.pause();
  video.removeAttribute("src");
});
