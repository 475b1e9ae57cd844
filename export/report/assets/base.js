// What all parts of the page share: data, elements, numbers, colours.
const D = JSON.parse(document.getElementById('data').textContent);
const $ = (query, root = document) => root.querySelector(query);
const $$ = (query, root = document) => [...root.querySelectorAll(query)];

// el makes an element. Text goes in as text, never as markup: names are hostile.
function el(tag, attrs, ...kids) {
  const svg = tag === 'svg' || tag === 'path';
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  }
  e.append(...kids.filter((k) => k != null));
  return e;
}
const name = (s) => el('bdi', {}, s);
// Inside a drawing there is no <bdi>: isolate marks keep a name's direction in.
const isolated = (s) => '\u2068' + s + '\u2069';

// middled shortens in the middle: names tend to share their beginnings.
function middled(s, n) {
  const c = [...s];
  if (c.length <= n) return s;
  const tail = Math.floor((n - 1) * 0.6);
  return c.slice(0, n - 1 - tail).join('') + '…' + c.slice(c.length - tail).join('');
}
function say(text) { $('#live').textContent = text; }

const UNKNOWN = 'unknown';
const fixed = (x, d) => (x == null ? UNKNOWN : x.toFixed(d).replace('-', '−'));
const f4 = (x) => fixed(x, 4);
const whole = (x) => (x == null ? UNKNOWN : String(Math.round(x)).replace(/\B(?=(\d{3})+$)/g, '\u202f'));
function usd(x) {
  if (x == null) return UNKNOWN;
  const a = Math.abs(x);
  if (a === 0) return '$0';
  if (a < 1e-4) return '$' + x.toPrecision(3);
  if (a < 1) return '$' + x.toFixed(4);
  return a < 1000 ? '$' + x.toFixed(2) : '$' + whole(x);
}
const usdShort = (x) => (x >= 100 ? '$' + whole(x) : '$' + Number(x.toPrecision(2)));
const percent = (x) => (x == null ? UNKNOWN : (x * 100).toFixed(1) + '\u202f%');
const count = (n, one, many) => whole(n) + ' ' + (n === 1 ? one : many);

// Theme: the reader's system decides until the button does.
const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
let printing = false;
try { chosen = localStorage.getItem('amdb-theme'); } catch { /* a file may have no storage */ }
function theme() {
  if (printing) return 'light';
  return chosen === 'dark' || chosen === 'light' ? chosen : prefersDark.matches ? 'dark' : 'light';
}
const css = (v) => getComputedStyle(root).getPropertyValue(v).trim();

// Configurations that stand out have a colour, a dash and a symbol each.
const DASHES = ['solid', 'solid', 'dashed', 'solid', 'dotted', 'dashed', 'solid', 'dotted'];
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'circle', 'rect', 'triangle', 'diamond'];
const SHAPES = { circle: 'M8 4a4 4 0 1 0 8 0a4 4 0 1 0-8 0', rect: 'M8.5.5h7v7h-7z', triangle: 'M12 0l4.5 8h-9z', diamond: 'M12-.5l4.5 4.5l-4.5 4.5l-4.5-4.5z' };
const slots = new Array(MAX).fill(-1);
const slotOf = (i) => slots.indexOf(i);
const colour = (slot) => css('--c' + slot);
function mark(slot) {
  const s = el('svg', { class: 'mark', viewBox: '0 0 24 8', 'aria-hidden': 'true' });
  const dash = { solid: '', dashed: '5 3', dotted: '2 2' }[DASHES[slot]];
  s.append(el('path', { d: 'M0 4H24', fill: 'none', stroke: `var(--c${slot})`, 'stroke-width': 2, 'stroke-dasharray': dash || null }),
    el('path', { d: SHAPES[SYMBOLS[slot]], fill: `var(--c${slot})` }));
  return s;
}
