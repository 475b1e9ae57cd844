// Tables: sorting by a heading's button, and the figures behind each chart.

function value(cell, numeric) {
  const v = cell.dataset.v ?? cell.textContent;
  if (!numeric) return v;
  return v === '' ? null : Number(v);
}

// sortBy orders a table's rows by column; what is unknown stays last both ways.
function sortBy(table, column, numeric, down) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, at) => ({ row, at, v: value(row.cells[column], numeric) }));
  rows.sort((a, b) => {
    if (a.v == null || b.v == null) return (a.v == null) - (b.v == null) || a.at - b.at;
    const c = numeric ? a.v - b.v : a.v < b.v ? -1 : a.v > b.v ? 1 : 0;
    return (down ? -c : c) || a.at - b.at;
  });
  body.append(...rows.map((r) => r.row));
}

function makeSortable(table) {
  const head = table.tHead.rows[table.tHead.rows.length - 1];
  for (const th of $$('th[data-sort]', head)) {
    const button = el('button', { type: 'button', class: 'sort' });
    button.append(...th.childNodes);
    th.dataset.label = button.textContent.replace(/\s+/g, ' ');
    th.append(button);
    button.addEventListener('click', () => {
      const was = th.getAttribute('aria-sort');
      const down = was ? was === 'ascending' : th.dataset.first === 'desc';
      for (const other of $$('th', head)) other.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      sortBy(table, [...head.cells].indexOf(th), th.dataset.sort === 'num', down);
      say(`Sorted by ${button.textContent}, ${down ? 'descending' : 'ascending'}`);
    });
  }
}

// figures makes a table of a chart's figures. A column is [title, kind]; a cell
// is a value, or [key, shown] where the two differ, or an element.
let tables = 0;
function figures(caption, columns, rows) {
  const id = 'figures-' + ++tables;
  const table = el('table', { class: 'sortable' }, el('caption', { id }, caption),
    el('thead', {}, el('tr', {}, ...columns.map(([title, kind]) => el('th', { scope: 'col', 'data-sort': kind === 'none' ? null : kind === 'text' ? 'text' : 'num' }, title)))));
  table.append(el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell, i) => {
    const [key, shown] = Array.isArray(cell) ? cell : [cell, cell];
    const text = columns[i][1] === 'text';
    const at = { class: i === 0 && text ? 'name' : text ? null : 'n', 'data-v': key instanceof Node ? null : key ?? '', scope: i === 0 ? 'row' : null };
    return el(i === 0 ? 'th' : 'td', at, shown == null ? el('span', { class: 'unknown' }, UNKNOWN) : text && !(shown instanceof Node) ? name(shown) : shown);
  })))));
  makeSortable(table);
  return el('div', { class: 'scroll', role: 'region', 'aria-labelledby': id, tabindex: 0 }, table);
}
const shownAs = (v, f) => [v, v == null ? null : f(v)];

const STRATA = D.strata.map((s) => s.n);
const PARTS = ['AMS', 'TQ', 'AUBQC', 'EFR'];
const makers = {
  curves: () => figures('Quality by budget; tasks are those with a run that counts',
    [['Configuration', 'text'], ['Stratum', 'text'], ['Tasks', 'num'], ['Level', 'num'], ['Budget', 'num'], ['Quality', 'num']],
    D.configs.flatMap((c) => D.strata.flatMap((s, k) => s.b.map((b, l) => [c.n, s.n, [c.qt[k], `${whole(c.qt[k])} of ${whole(s.t)}`], l + 1, shownAs(b, usd), shownAs(c.q[k][l], f4)])))),
  cost: () => figures(`Total cost and mean reward over ${count(D.tasks, 'task', 'tasks')}`,
    [['Configuration', 'text'], ['Total cost', 'num'], ['Cost known', 'num'], ['Mean reward', 'num'], ['Pareto front', 'text']],
    D.configs.map((c) => [c.n, shownAs(c.c, usd), [c.ck, `${whole(c.ck)} of ${whole(c.k)} runs`], shownAs(c.mr, f4), c.c == null ? UNKNOWN : c.f ? 'front' : 'no'])),
  parts: () => figures('Parts of AMS by stratum', [['Configuration', 'text'], ['Stratum', 'text'], ['Tasks', 'num'], ...PARTS.map((p) => [p, 'num'])],
    D.configs.flatMap((c) => c.p.map((p, k) => [c.n, k ? STRATA[k - 1] : 'all', k ? D.strata[k - 1].t : D.tasks, ...p.map((x) => shownAs(x, f4))]))),
  ranks: () => figures(`Ranks and ${percent(D.level)} rank intervals`,
    [['Configuration', 'text'], ['Rank', 'num'], ['From', 'num'], ['To', 'num'], ['P(best)', 'num']],
    D.configs.map((c) => [c.n, c.r, c.rl, c.rh, shownAs(c.pb, percent)])),
};

// The figures behind a chart are made when first asked for: there may be many.
function prepareFigures() {
  for (const d of $$('details[data-table]')) {
    const make = makers[d.dataset.table];
    if (make) d.addEventListener('toggle', () => { if (d.open && !$('.scroll', d)) d.append(make()); });
  }
}

// The leaderboard: ticks that make rows stand out, names that open, a search.
function prepareBoard() {
  const board = $('#board');
  if (!board) return;
  for (const row of board.tBodies[0].rows) {
    const i = Number(row.dataset.i);
    const box = el('input', { type: 'checkbox', 'aria-label': `${D.configs[i].n}: stand out in the charts` });
    box.addEventListener('change', () => choose(i, box.checked));
    row.cells[0].append(el('label', {}, box));
    const cell = row.cells[2];
    cell.replaceChildren(el('button', { type: 'button', class: 'link', onclick: () => openConfig(i) }, el('bdi', {}, D.configs[i].n)));
  }
  $('#find').addEventListener('input', (e) => {
    const text = e.target.value.toLowerCase();
    let shown = 0;
    for (const row of board.tBodies[0].rows) {
      row.hidden = !D.configs[row.dataset.i].n.toLowerCase().includes(text);
      shown += !row.hidden;
    }
    say(`${shown} of ${D.configs.length} configurations`);
  });
}

function choose(i, on) {
  const slot = on ? slots.indexOf(-1) : slotOf(i);
  if (slot >= 0) slots[slot] = on ? i : -1;
  showChosen();
  drawChosen();
}

// showChosen brings ticks and legends in line with the slots.
function showChosen() {
  const full = !slots.includes(-1);
  for (const row of $$('#board tbody tr')) {
    const slot = slotOf(Number(row.dataset.i));
    const box = $('input', row);
    box.checked = slot >= 0;
    box.disabled = full && slot < 0;
    const label = $('label', row);
    $('svg', label)?.remove();
    if (slot >= 0) label.append(mark(slot));
  }
  for (const legend of $$('[data-legend]')) {
    const list = el('ul', { 'aria-label': 'Configurations that stand out' });
    slots.forEach((i, slot) => { if (i >= 0) list.append(el('li', {}, mark(slot), el('bdi', { class: 'clamp' }, D.configs[i].n))); });
    const others = D.configs.length - slots.filter((i) => i >= 0).length;
    if (others > 0) list.append(el('li', {}, `the thin grey ones: ${count(others, 'other', 'others')}`));
    legend.replaceChildren(list);
  }
}
