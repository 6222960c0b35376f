// Search over search_index (search.js), without a server and without a network; the theme; copy buttons; pictures.
"use strict";

const field = document.getElementById("search");
const found = document.getElementById("found");
const root = document.body.dataset.root;

// --- Search. docs/site/search_index.py makes the index and says how answers are ranked; its `ranked` is this function. ---

const stem = (word) => word.replace(/(\w\w)ies$/, "$1y").replace(/(\w\w[^s_])s$/, "$1").replace(/(\w{4})ing$/, "$1")
    .replace(/(\w{4})e$/, "$1");
const words_of = (text) => (text.toLowerCase().match(/[a-z0-9_]+/g) || []).map(stem);

function ranked(query) {
  const words = words_of(query), whole = words.join(" ");
  const scores = new Map();
  words.forEach((word, number) => {
    const best = new Map();  // of this word: entry -> score
    for (const indexed of Object.keys(search_index.words)) {
      if (!indexed.startsWith(word)) continue;
      const share = indexed === word ? 1 : 0.5;
      const list = search_index.words[indexed];
      for (let i = 0; i < list.length; i += 2)
        best.set(list[i], Math.max(best.get(list[i]) || 0, share * list[i + 1]));
    }
    for (const [entry, score] of best) {
      const [before, count] = scores.get(entry) || [0, 0];
      if (count === number) scores.set(entry, [before + score, number + 1]);
    }
  });
  const answers = [];
  for (const [entry, [score, count]] of scores) {
    if (count < words.length) continue;
    const {key, kind} = search_index.entries[entry];
    answers.push([score * (key !== whole ? 1 : kind === "section" ? 2 : 3), entry]);
  }
  answers.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return answers.slice(0, 12).map((answer) => search_index.entries[answer[1]]);
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const begin = Math.max(0, at - 60);
  return (begin > 0 ? "… " : "") + text.slice(begin, begin + 150) + (begin + 150 < text.length ? " …" : "");
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function show() {
  const words = words_of(field.value);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const answers = ranked(field.value);
  for (const answer of answers) {
    const link = document.createElement("a");
    link.href = root + "/" + answer.url;
    link.append(element("b", answer.title, answer.kind), element("small", answer.of),
                element("p", excerpt(answer.text, words[0])));
    const item = document.createElement("li");
    item.append(link);
    found.append(item);
  }
  if (answers.length === 0) found.append(element("p", "Nothing has all of these words."));
}

field.addEventListener("input", show);
field.addEventListener("focus", show);
document.addEventListener("click", (event) => {
  if (!found.contains(event.target) && event.target !== field) found.hidden = true;
});
document.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
  if (event.key === "/" && document.activeElement !== field) {
    field.focus();
    event.preventDefault();
  } else if (event.key === "Escape") {
    found.hidden = true;
    field.blur();
  } else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (links[next] || field).focus();
    event.preventDefault();
  } else if (event.key === "Enter" && document.activeElement === field && links.length > 0) {
    links[0].click();
  }
});

// --- Theme --------------------------------------------------------------------------------------------------------------

document.getElementById("theme").addEventListener("click", () => {
  const html = document.documentElement;
  const dark = html.dataset.theme ? html.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  html.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", html.dataset.theme);
  } catch (error) { /* pages opened from a disk may have no storage */ }
});

// --- Blocks, pictures, tables -------------------------------------------------------------------------------------------

// What a block gives to paste: its commands, where it shows commands and what they print; else all of it.
function pasted(block) {
  const text = block.textContent;
  const commands = text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return commands.length > 0 ? commands.join("\n") + "\n" : text;
}

// Output is no code to paste: it has no coloured words.
const is_output = (block) => !block.querySelector("pre span:not(:empty)");

for (const block of document.querySelectorAll("article .codehilite")) {
  if (is_output(block)) continue;
  const button = element("button", "Copy", "copy");
  button.type = "button";
  button.addEventListener("click", async () => {
    const area = element("textarea", pasted(block.querySelector("pre")));
    try {
      await navigator.clipboard.writeText(area.value);
    } catch (error) {  // pages opened from a disk
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

for (const picture of document.querySelectorAll("article img"))
  picture.addEventListener("click", () => { location.href = picture.src; });
// Sentences that are longer than a line of code are wrapped; drawings never are.
for (const block of document.querySelectorAll("article pre"))
  if (block.textContent.split("\n").some((line) => line.length > 125)) block.classList.add("sentences");
for (const table of document.querySelectorAll("article table:not([class]), article .markdownTable")) {
  const frame = document.createElement("div");
  frame.className = "wide";
  table.replaceWith(frame);
  frame.append(table);
}
document.body.dataset.ready = "yes";
