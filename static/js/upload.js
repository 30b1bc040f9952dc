// Files are chosen or dropped, sent with progress, and kept chosen if something is wrong with
// them. Without scripts the same form sends the same files.

const form = document.getElementById("sending");
const input = document.getElementById("files");
const drop = document.getElementById("drop");
const list = document.getElementById("chosen");
const problem = document.getElementById("problem");
const progress = document.getElementById("progress");
const words = document.getElementById("progress-words");
const share = document.getElementById("progress-share");
const bar = document.getElementById("progress-bar");
const said = document.getElementById("said");
const send = document.getElementById("send");
const stop = document.getElementById("stop");
const maxBytes = Number(form.dataset.maxBytes);

let request = null;

input.addEventListener("change", showChosen);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (request === null && fits()) {
    sendFiles();
  }
});
stop.addEventListener("click", () => request?.abort());
window.addEventListener("pageshow", showChosen); // browsers keep what was chosen

for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("drop--over");
  });
}
for (const kind of ["dragleave", "drop"]) {
  drop.addEventListener(kind, () => drop.classList.remove("drop--over"));
}
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (request === null && event.dataTransfer.files.length > 0) {
    choose([...input.files, ...event.dataTransfer.files]);
  }
});

function choose(files) {
  const chosen = new DataTransfer();
  for (const file of files) {
    chosen.items.add(file);
  }
  input.files = chosen.files;
  showChosen();
}

function showChosen() {
  problem.hidden = true;
  list.hidden = input.files.length === 0;
  list.replaceChildren(...[...input.files].map(line));
}

function line(file, place) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  const size = document.createElement("span");
  const remove = document.createElement("button");
  name.textContent = file.name;
  name.className = "chosen__name";
  size.textContent = sizeOf(file.size);
  size.className = "soft small numeric";
  remove.type = "button";
  remove.className = "chosen__remove";
  remove.textContent = "×";
  remove.setAttribute("aria-label", `Do not send ${file.name}`);
  remove.addEventListener("click", () => {
    choose([...input.files].filter((_, k) => k !== place));
    input.focus();
  });
  item.append(name, size, remove);
  return item;
}

function sizeOf(bytes) {
  for (const [unit, amount] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (bytes >= amount) {
      return `${(bytes / amount).toPrecision(3)} ${unit}`;
    }
  }
  return `${bytes} bytes`;
}

function fits() {
  const bytes = [...input.files].reduce((sum, file) => sum + file.size, 0);
  if (bytes > maxBytes) {
    tell(`These files have ${sizeOf(bytes)}; at most ${sizeOf(maxBytes)} can be sent at once.`);
  }
  return bytes <= maxBytes;
}

function sendFiles() {
  request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) {
      bar.value = event.loaded / event.total;
      share.textContent = `${sizeOf(event.loaded)} of ${sizeOf(event.total)}`;
    }
  });
  request.upload.addEventListener("load", () => {
    // How long reading takes is not known: a bar without a value moves by itself.
    bar.removeAttribute("value");
    share.textContent = "";
    say("Reading the files …");
  });
  request.addEventListener("load", () => finish(request));
  request.addEventListener("error", () =>
    fail("The connection broke before the files were through. Are you still signed in?"),
  );
  request.addEventListener("abort", () => fail("Stopped; nothing was kept, unless everything had been read by then."));
  request.open("POST", form.action);
  const fields = new FormData(form);
  request.send(fields);
  setBusy(true);
  bar.value = 0;
  say("Sending the files …");
}

function finish(answered) {
  if (answered.status >= 200 && answered.status < 300 && answered.responseURL !== form.action) {
    location.assign(answered.responseURL);
    return;
  }
  const page = new DOMParser().parseFromString(answered.responseText, "text/html");
  const told = page.querySelector("#problem") ?? page.querySelector("main p");
  form.querySelector(".more").open ||= page.querySelector(".more[open]") !== null;
  fail(told?.textContent ?? `The server answered ${answered.status}.`);
}

function fail(sentence) {
  request = null;
  setBusy(false);
  said.textContent = "";
  tell(sentence);
}

function tell(sentence) {
  problem.textContent = sentence;
  problem.hidden = false;
  problem.focus();
}

function say(sentence) {
  words.textContent = sentence;
  said.textContent = sentence;
}

function setBusy(busy) {
  problem.hidden = true;
  progress.hidden = !busy;
  stop.hidden = !busy;
  send.disabled = busy;
  form.classList.toggle("sending--busy", busy);
}
