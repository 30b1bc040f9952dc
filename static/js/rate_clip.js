// The rating page beyond plain HTML: keys, a large play button, and how much was really watched.

const form = document.querySelector("form.rate__answer");
const options = [...form.elements.answer];
const player = document.getElementById("player");
const video = player.querySelector("video");
const hint = document.querySelector(".rate__keys");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

addPlayButton();
if (!calm) {
  play();
}
form.addEventListener("submit", noteEvidence);
document.addEventListener("keydown", answerKey);
addKeysSwitch();

function play() {
  // Refused where the browser wants a tap first; then the large button waits for it.
  video.play().catch(() => {});
}

function addPlayButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "player__play";
  player.append(button);
  const update = () => {
    // Shown before the first and after the last second; a pause in between is left in view.
    button.hidden = !video.paused || (video.currentTime > 0 && !video.ended);
    button.textContent = video.ended ? player.dataset.playAgain : player.dataset.play;
    // The last picture stays in view: the button steps aside into the corner.
    button.classList.toggle("player__play--again", video.ended);
  };
  for (const event of ["play", "pause", "ended", "seeked"]) {
    video.addEventListener(event, update);
  }
  button.addEventListener("click", () => {
    play();
    video.focus(); // the button is about to disappear
  });
  update();
}

// Who speaks to the computer, or whose hand trembles, may choose by accident: keys can be off.
function addKeysSwitch() {
  const button = document.getElementById("keys");
  const update = () => {
    button.textContent = keysAreOn() ? button.dataset.off : button.dataset.on;
  };
  button.addEventListener("click", () => {
    sessionStorage.setItem("keys", keysAreOn() ? "off" : "on");
    update();
  });
  update();
  hint.hidden = options.length > 9;
}

function keysAreOn() {
  return sessionStorage.getItem("keys") !== "off";
}

function noteEvidence() {
  form.elements.watched_s.value = playedSeconds(video.played).toFixed(2);
  form.elements.on_page_s.value = (performance.now() / 1000).toFixed(2);
}

function playedSeconds(ranges) {
  let seconds = 0;
  for (let i = 0; i < ranges.length; i += 1) {
    seconds += ranges.end(i) - ranges.start(i);
  }
  return seconds;
}

function answerKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) {
    return;
  }
  // Where there is no room for the switch, there are no keys that it could turn off.
  if (!keysAreOn() || hint.offsetParent === null) {
    return;
  }
  const option = /^[1-9]$/.test(event.key) && isHere(event.target) && options[event.key - 1];
  if (option) {
    option.checked = true;
    option.focus();
  } else if (event.key === "Enter" && !event.repeat && isFree(event.target, "a, button, video")) {
    if (options.some((each) => each.checked)) {
      event.preventDefault();
      form.requestSubmit();
    }
  } else if (event.key === " " && isFree(event.target, "button, input, video")) {
    event.preventDefault();
    togglePlaying();
  }
}

function isHere(target) {
  return target === document.body || form.contains(target) || player.contains(target);
}

function isFree(target, users) {
  return !target.closest(users);
}

function togglePlaying() {
  if (video.paused) {
    play();
  } else {
    video.pause();
  }
}
