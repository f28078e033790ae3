"use strict";
const number = new Intl.NumberFormat("en-US");
const live = document.getElementById("live");
const problem = document.getElementById("problem");
const unlock = document.getElementById("unlock");
let token = sessionStorage.getItem("token") || "";

function duration(seconds) {
  if (!(seconds < 360000)) return "days";
  const whole = Math.ceil(seconds);
  if (whole < 60) return whole + " s";
  if (whole < 3600) return Math.ceil(whole / 60) + " min";
  return Math.floor(whole / 3600) + " h " + Math.floor(whole % 3600 / 60) + " min";
}

function set(name, value, text) {
  const element = document.querySelector("[data-" + name + '="' + value + '"]');
  if (element && element.textContent !== text) element.textContent = text;
}

function show(place, counts, isRunning) {
  const all = Object.assign({ accounted: counts.planned - counts.remaining }, counts);
  for (const name of ["accounted", "planned", "sent", "token_retired", "rejected", "expired", "skipped", "unknown",
    "remaining"]) {
    set("n", place + "." + name, number.format(all[name]));
    const cell = document.querySelector('dd[data-n="' + place + "." + name + '"]');
    if (cell) cell.parentElement.classList.toggle("zero", all[name] === 0);
  }
  set("rate", place, isRunning && counts.rate > 0 && counts.remaining > 0 ? number.format(Math.round(counts.rate)) + "/s" : "");
  set("left", place, !isRunning || counts.seconds_left === null ? "" : duration(counts.seconds_left) + " left");
  const bar = document.querySelector('[data-bar="' + place + '"]');
  if (!bar) return;
  bar.setAttribute("aria-label", number.format(all.accounted) + " of " + number.format(all.planned)
    + " messages have their outcome");
  const parts = [counts.sent, counts.token_retired + counts.rejected + counts.expired, counts.skipped, counts.unknown];
  let at = 0;
  parts.forEach((count, index) => {
    const width = count * 1000 / Math.max(counts.planned, 1);
    bar.children[index].setAttribute("x", at);
    bar.children[index].setAttribute("width", width);
    at += width;
  });
}

function tell(text) {
  problem.textContent = text || "";
  problem.hidden = !text;
  live.textContent = text ? "not up to date" : "live";
  live.classList.toggle("stale", Boolean(text));
}

async function redraw() {
  const answer = await fetch("/", { cache: "no-store" });
  const text = await answer.text();
  // That part alone: the new page's style has a nonce that this page's policy doesn't know.
  const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"));
  const page = new DOMParser().parseFromString(main, "text/html");
  // Which lists of lanes the reader opened or closed stays as it is.
  for (const list of document.querySelectorAll("details")) {
    const drawn = page.getElementById(list.id);
    if (drawn) drawn.open = list.open;
  }
  document.querySelector("main").replaceWith(page.querySelector("main"));
  lock();
}

async function refresh() {
  try {
    const answer = await fetch("/launches.json", { cache: "no-store" });
    const numbers = await answer.json();
    if (!numbers.problem && numbers.revision !== document.querySelector("main").dataset.revision) await redraw();
    for (const launch of numbers.launches) {
      const isRunning = launch.state === "running";
      show(String(launch.launch), launch, isRunning);
      for (const lane of launch.lanes) show(launch.launch + "." + lane.channel, lane, isRunning);
    }
    tell(numbers.problem);
  } catch (error) {
    tell("The process does not answer: it has ended, or its address can't be reached from here.");
  }
}

// A hidden page asks for nothing.
async function watch() {
  if (!document.hidden) await refresh();
  setTimeout(watch, 2000);
}

function lock() {
  for (const button of document.querySelectorAll("[data-path]")) button.hidden = !token;
  if (unlock) unlock.querySelector("button").textContent = token ? "Lock" : "Unlock";
  if (unlock) unlock.querySelector("input").hidden = Boolean(token);
}

function remember(given) {
  token = given;
  if (token) sessionStorage.setItem("token", token); else sessionStorage.removeItem("token");
  lock();
}

if (unlock) unlock.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = unlock.querySelector("input");
  remember(token ? "" : input.value.trim());
  input.value = "";
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-path]");
  if (!button) return;
  if (button.className === "cancel" && !confirm("Cancel " + button.dataset.what
    + "? What remains of it is never sent.")) return;
  button.disabled = true;
  try {
    const answer = await fetch(button.dataset.path, { method: "POST", headers: { authorization: "Bearer " + token } });
    if (answer.status === 401) remember("");
    if (answer.ok) await refresh(); else alert(await answer.text());
  } catch (error) {
    alert("The process does not answer.");
  }
  button.disabled = false;
  lock();
});

lock();
watch();
