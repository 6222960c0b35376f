// Search over search_index (search.js), without a server and without a network; pictures open in full size.
"use strict";

const field = document.getElementById("search");
const found = document.getElementById("found");
const root = document.body.dataset.root;

// Sections that hold every word: those in whose title they stand come first.
function search(words) {
  const scored = [];
  for (const section of search_index.docs) {
    if (page_title(section) === section.title) continue;  // the page itself is found already
    const title = section.title.toLowerCase(), text = section.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const in_title = title.indexOf(word), in_text = text.indexOf(word);
      if (in_title < 0 && in_text < 0) { score = -1; break; }
      score += (in_title === 0 ? 30 : in_title > 0 ? 20 : 0) + Math.min(text.split(word).length - 1, 8);
    }
    if (score > 0) scored.push({score: score - (section.location.includes(".hpp.html") ? 10 : 0), section});
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, 12).map((entry) => entry.section);
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const begin = Math.max(0, at - 60);
  return (begin > 0 ? "… " : "") + text.slice(begin, begin + 160) + " …";
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function page_title(section) {
  const page = section.location.split("#")[0];
  const of_page = search_index.docs.find((other) => other.location === page);
  return of_page && of_page !== section ? of_page.title : "";
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const sections = search(words);
  for (const section of sections) {
    const link = document.createElement("a");
    link.href = root + "/" + section.location;
    link.append(element("b", section.title), element("small", page_title(section)),
                element("p", excerpt(section.text, words[0])));
    const item = document.createElement("li");
    item.append(link);
    found.append(item);
  }
  if (sections.length === 0) found.append(element("p", "No page has all of these words."));
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

for (const picture of document.querySelectorAll("article img"))
  picture.addEventListener("click", () => { location.href = picture.src; });
// Sentences that are longer than a line of code are wrapped; drawings never are.
for (const block of document.querySelectorAll("article pre"))
  if (block.textContent.split("\n").some((line) => line.length > 125)) block.classList.add("sentences");
for (const table of document.querySelectorAll("article table")) {
  const frame = document.createElement("div");
  frame.className = "wide";
  table.replaceWith(frame);
  frame.append(table);
}
document.body.dataset.ready = "yes";
