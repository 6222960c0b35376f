// The parts of the interactive page that are the same for every scene: its style and its script.
#pragma once

namespace tilewright::render {

inline constexpr char const* page_style = R"css(
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1f2733; --quiet: #545e6e; --line: #d5dae2; --edge: #9aa3b0; --raised: #f3f5f8;
  --hover: #e6eaf0; --focus: #1f5fa8; --here: #c4320a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181f; --ink: #e4e8ee; --quiet: #a7b0be; --line: #343c49; --edge: #5d6778; --raised: #232a35;
    --hover: #2e3744; --focus: #7db4f0; --here: #ff5a2a;
  }
  /* Cells keep their colours, a little dimmed, and so the text on them; text outside of cells changes with it. */
  #picture svg > rect:first-of-type { fill: var(--paper); }
  #picture svg > text { fill: var(--ink); }
  #picture svg > text[fill="#545e6e"] { fill: var(--quiet); }
  #picture svg > path[stroke="#ffffff"] { stroke: var(--paper); }
  #picture .c rect { fill-opacity: 0.92; }
  #picture .c rect[fill="#ffffff"], #picture .c rect[fill="#f6f7f9"] { fill: #2a313d; fill-opacity: 1; }
  #picture .c rect[fill="#ffffff"] ~ text { fill: var(--ink); }
}
body {
  margin: 0; font: 15px/1.45 system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif; color: var(--ink);
  background: var(--paper);
}
#bar {
  position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); padding: 8px 20px;
  display: flex; flex-wrap: wrap; gap: 8px 22px; align-items: center; min-height: 34px;
}
#facts {
  display: flex; flex-wrap: wrap; gap: 2px 18px; font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono',
  monospace; font-size: 14px; margin: 0;
}
#facts div { display: flex; gap: 6px; }
#facts dt { color: var(--quiet); }
#facts dd { margin: 0; font-weight: 600; }
#hint { color: var(--quiet); }
#steps { display: flex; gap: 8px; align-items: center; }
button {
  font: inherit; padding: 2px 10px; border: 1px solid var(--edge); border-radius: 4px; background: var(--raised);
  color: inherit; cursor: pointer;
}
button:hover { background: var(--hover); }
button:focus-visible, input:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
#name { min-width: 15ch; font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 14px; }
#picture { overflow-x: auto; outline: none; }
#picture:focus-visible { box-shadow: inset 0 0 0 2px var(--focus); }
#picture svg { display: block; height: auto; max-width: 100%; }
#picture.with-text svg { max-width: none; }  /* text that is legible scrolls; it is not made smaller */
.c { cursor: pointer; }
.c text { pointer-events: none; }
.c.off { opacity: 0.13; }
.c.twin rect { stroke: var(--ink); stroke-width: 2px; }
.c.here rect { stroke: var(--here); stroke-width: 3px; }
footer { padding: 4px 20px 16px; color: var(--quiet); font-size: 13px; }
kbd {
  border: 1px solid var(--edge); border-radius: 3px; padding: 0 4px; font: 12px ui-monospace, Menlo, Consolas,
  'DejaVu Sans Mono', monospace;
}
)css";

inline constexpr char const* page_script = R"js(
'use strict';
const scene = JSON.parse(document.getElementById('scene').textContent);
const names = ['coordinate', 'index', 'offset', 'thread', 'value', 'bank', 'round'];
const picture = document.getElementById('picture');
const facts = document.getElementById('facts');
const hint = document.getElementById('hint');
const cells = [];            // {panel, at, row, column, facts, node}
const byLink = new Map();
for (const [panel, p] of scene.panels.entries()) {
  for (const [at, f] of p.cells) {
    const cell = {panel, at, row: Math.floor(at / p.columns), column: at % p.columns, facts: f,
                  node: document.getElementById('p' + panel + 'c' + at)};
    cell.node.cell = cell;
    cells.push(cell);
    if (f.link !== undefined) {
      if (!byLink.has(f.link)) byLink.set(f.link, []);
      byLink.get(f.link).push(cell);
    }
  }
}
let here = null, thread = null, round = null;

function twins(cell) {
  return cell && cell.facts.link !== undefined ? byLink.get(cell.facts.link) : [];
}

function show(cell) {
  if (cell === here) return;
  for (const t of twins(here)) t.node.classList.remove('twin');
  if (here) here.node.classList.remove('here');
  here = cell;
  for (const t of twins(cell)) t.node.classList.add('twin');
  if (cell) cell.node.classList.add('here');
  facts.replaceChildren();
  hint.hidden = cell !== null;
  if (!cell) return;
  for (const name of names) {
    if (cell.facts[name] === undefined) continue;
    const row = document.createElement('div'), key = document.createElement('dt'), value = document.createElement('dd');
    key.textContent = name;
    value.textContent = cell.facts[name];
    value.id = 'fact-' + name;
    row.append(key, value);
    facts.append(row);
  }
}

function dim() {
  for (const cell of cells) {
    const off = (thread !== null && cell.facts.thread !== thread) ||
                (round !== null && cell.facts.round !== undefined && cell.facts.round !== round);
    cell.node.classList.toggle('off', off);
  }
  const note = document.getElementById('isolated');
  note.hidden = thread === null;
  note.textContent = thread === null ? '' : 'thread ' + thread + ' alone';
  document.body.dataset.thread = thread === null ? '' : thread;
  document.body.dataset.round = round === null ? '' : round;
  const name = document.getElementById('name');
  if (name) name.textContent = round === null ? (scene.rounds.length === 1 ? 'the only round' : 'all ' + scene.rounds.length + ' rounds')
                                              : 'round ' + round + ': ' + scene.rounds[round];
  const slider = document.getElementById('slider');
  if (slider) slider.value = round === null ? -1 : round;
}

function isolate(cell) {
  const t = cell ? cell.facts.thread : undefined;
  thread = t === undefined || t === thread ? null : t;
  dim();
}

function step(by) {
  if (!scene.rounds.length) return;
  const next = (round === null ? -1 : round) + by;
  round = next < 0 ? null : Math.min(next, scene.rounds.length - 1);
  dim();
}

function move(rows, columns) {
  const from = here || cells[0];
  if (!here) return show(from);
  const to = cells.find(c => c.panel === from.panel && c.row === from.row + rows && c.column === from.column + columns);
  if (to) show(to);
}

function nextPanel(by) {
  const panels = [...new Set(cells.map(c => c.panel))];
  const at = here ? panels.indexOf(here.panel) : -1;
  const panel = panels[(at + by + panels.length) % panels.length];
  show(twins(here).find(c => c.panel === panel) || cells.find(c => c.panel === panel));
}

picture.addEventListener('pointerover', e => {
  const node = e.target.closest('.c');
  if (node && node.cell) show(node.cell);
});
picture.addEventListener('pointerleave', () => show(null));
picture.addEventListener('click', e => {
  const node = e.target.closest('.c');
  isolate(node ? node.cell : null);
});
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = e.target instanceof HTMLInputElement;
  const keys = {ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1),
                ArrowRight: () => move(0, 1), Enter: () => isolate(here), p: () => nextPanel(1), P: () => nextPanel(-1),
                '.': () => step(1), ',': () => step(-1),
                Escape: () => { thread = null; round = null; show(null); dim(); }};
  const act = keys[e.key];
  if (!act || (typing && e.key !== 'Escape') || (e.target instanceof HTMLButtonElement && e.key === 'Enter')) return;
  e.preventDefault();
  act();
});
if (scene.rounds.length) {
  document.getElementById('back').addEventListener('click', () => step(-1));
  document.getElementById('forward').addEventListener('click', () => step(1));
  document.getElementById('slider').addEventListener('input', e => {
    const at = Number(e.target.value);
    round = at < 0 ? null : at;
    dim();
  });
}
dim();
document.body.dataset.ready = 'yes';
)js";

}  // namespace tilewright::render
