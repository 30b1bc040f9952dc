// Keeps the page as the database is: the server sends the parts that have changed, drawn from
// the page's own templates, and each takes the place of the element with the same id.

const main = document.querySelector("[data-events]");
const connection = document.querySelector("[data-connection]");
const source = new EventSource(main.dataset.events);

source.addEventListener("open", () => say("Live", "live"));
source.addEventListener("parts", (event) => {
  const fragment = document.createElement("template");
  fragment.innerHTML = event.data;
  for (const part of [...fragment.content.children].flatMap(rowsOrItself)) {
    replace(document.getElementById(part.id), part);
  }
});
source.addEventListener("error", () => {
  if (source.readyState === EventSource.CLOSED) {
    say("No longer live: load the page again", "ended");
  } else {
    say("Connecting again …", "waiting");
  }
});
// A page kept in the browser's memory would hold its stream open.
window.addEventListener("pagehide", () => source.close());
window.addEventListener("pageshow", (event) => {
  if (event.persisted) {
    location.reload();
  }
});

// Rows travel in a table of their own: outside of one, a browser throws them away.
function rowsOrItself(element) {
  return element.tagName === "TABLE" ? [...element.rows] : [element];
}

function replace(old, part) {
  if (!old || old.isEqualNode(part)) {
    return;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  // What moves all the time would flash all the time.
  if (!("moving" in part.dataset)) {
    part.classList.add("fresh");
    part.addEventListener("animationend", () => settle(part), { once: true });
  }
  old.replaceWith(part);
  if (focused) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

function settle(part) {
  part.classList.remove("fresh");
  if (part.className === "") {
    part.removeAttribute("class"); // so that it equals what the server draws
  }
}

function say(words, state) {
  if (connection) {
    connection.textContent = words;
    connection.dataset.connection = state;
  }
}
