// The heat map, task by configuration, and what a cell opens. It draws the
// tasks in sight alone, so that thousands of tasks cost no more than a screenful.
let H = null; // unpacked: see packedData in report_packed.go
const heat = { from: 0, wide: 1, c: 0, t: 0, left: 0, top: 0, cell: 14, high: 16, one: 14 };

async function unpack() {
  const packed = Uint8Array.from(atob($('#packed').textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

const cellAt = (c, t) => c * H.tasks.task.length + t;
const taskName = (t) => (H.tasks.bench[t] ? H.tasks.bench[t] + '/' : '') + H.tasks.task[t];
function cellWords(c, t) {
  const i = cellAt(c, t);
  if (!H.of[i]) return 'no run';
  const parts = [H.reward[i] == null ? 'reward unknown' : `reward ${fixed(H.reward[i], 3)}`];
  if (H.failure[i] > 0) parts.push(`expensive failures ${percent(H.failure[i])}`);
  parts.push(`runs that count: ${whole(H.counted[i])} of ${whole(H.of[i])}`);
  parts.push(H.cost[i] == null ? 'cost unknown' : `cost ${usd(H.cost[i])}` + (H.nocost[i] ? ` known, ${H.nocost[i]} unknown` : ''));
  return parts.join(', ');
}

function prepareHeat() {
  const tools = $('#heat-tools');
  const total = H.tasks.task.length;
  heat.label = el('span', { class: 'hint' });
  heat.back = el('button', { type: 'button', onclick: () => turn(-1) }, 'Earlier tasks');
  heat.next = el('button', { type: 'button', onclick: () => turn(1) }, 'Later tasks');
  const jump = el('select', { onchange: (e) => { if (e.target.value !== '') { moveTo(heat.c, Number(e.target.value), true); } e.target.value = ''; } }, el('option', { value: '' }, 'stratum…'));
  STRATA.forEach((s, k) => { const t = H.tasks.stratum.indexOf(k); if (t >= 0) jump.append(el('option', { value: t }, s)); });
  const find = el('input', { type: 'search', autocomplete: 'off', placeholder: 'task', onchange: (e) => {
    const text = e.target.value.toLowerCase();
    const t = text ? H.tasks.task.findIndex((_, i) => taskName(i).toLowerCase().includes(text)) : -1;
    if (t >= 0) moveTo(heat.c, t, true); else if (text) say('No such task');
  } });
  tools.append(heat.back, heat.next, heat.label, el('label', {}, 'Go to ', jump), el('label', {}, 'Find ', find));
  tools.hidden = false;
  $('#heat-key').append(
    el('li', {}, '0 ', el('span', { class: 'steps' }, ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => { const i = el('i'); i.style.background = `var(--h${k})`; return i; })), ' 1 mean reward'),
    el('li', {}, el('span', { class: 'miss' }), 'no run that counts'), el('li', {}, el('span', { class: 'fail' }), 'expensive failure'));
  const box = $('#heat-chart');
  box.addEventListener('mousemove', (e) => { const p = pointed(e); if (p) read(...p); });
  box.addEventListener('click', (e) => { const p = pointed(e); if (p) { moveTo(...p); openCell(...p); } });
  box.addEventListener('keydown', keys);
  box.addEventListener('focus', () => { moveTo(heat.c, heat.t); });
  box.addEventListener('blur', place);
  const d = $('details[data-table="heat"]');
  d.addEventListener('toggle', () => { if (d.open && !$('.scroll', d)) d.append(cellTable(0)); });
  heat.total = total;
}

const configWords = (c) => H.configs[c] + (c < H.ranked ? '' : ' (not ranked)');
function drawHeat() {
  const box = $('#heat-chart');
  if (!H || !heat.total || !H.configs.length) return;
  heat.left = gutter(box);
  const space = box.clientWidth - heat.left - 14;
  heat.wide = Math.min(heat.total, Math.max(1, Math.floor(space / heat.cell)));
  heat.from = Math.max(0, Math.min(heat.from, heat.total - heat.wide));
  const to = heat.from + heat.wide;
  const one = Math.min(40, space / heat.wide);
  heat.high = printing || H.configs.length > 60 ? 13 : 17;
  heat.top = 30;
  const cells = [], missing = [], fails = [], starts = [];
  const ramp = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => css('--h' + k));
  for (let c = 0; c < H.configs.length; c++) {
    for (let t = heat.from; t < to; t++) {
      const i = cellAt(c, t);
      const r = H.reward[i];
      if (r == null) missing.push([t - heat.from, c]);
      else cells.push({ value: [t - heat.from, c, r], itemStyle: { color: ramp[Math.min(7, Math.ceil(r * 7 - 1e-9))] } });
      if (H.failure[i] > 0) fails.push([t - heat.from, c]);
    }
  }
  for (let t = heat.from; t < to; t++) if (t === heat.from || H.tasks.stratum[t] !== H.tasks.stratum[t - 1]) starts.push(t - heat.from);
  draw('heat-chart', {
    grid: { left: heat.left, width: one * heat.wide, top: heat.top, height: heat.high * H.configs.length },
    xAxis: axis({
      type: 'category', position: 'top', data: Array.from({ length: heat.wide }, (_, k) => k), axisTick: { show: false }, axisLine: { show: false },
      axisLabel: { color: css('--soft'), fontSize: 11.5, align: 'left', interval: (k) => starts.includes(k), formatter: (k) => STRATA[H.tasks.stratum[heat.from + Number(k)]] },
    }),
    yAxis: { ...nameAxis(H.configs.map((n, c) => ({ n: configWords(c) })), heat.left), splitLine: { show: false }, axisLine: { show: false } },
    series: [
      { type: 'heatmap', progressive: 0, silent: true, data: cells, itemStyle: { borderColor: css('--panel'), borderWidth: 1 } },
      boxes(missing, (x, y, w, h) => ({ type: 'line', shape: { x1: x + 3, y1: y + h - 3, x2: x + w - 3, y2: y + 3 }, style: { stroke: css('--line'), lineWidth: 1 } })),
      boxes(fails, (x, y, w, h) => ({ type: 'circle', shape: { cx: x + w - 4, cy: y + 4.5, r: 2.75 }, style: { fill: css('--mark'), stroke: css('--panel'), lineWidth: 0.75 } })),
      boxes(starts.filter((k) => k > 0).map((k) => [k, 0]), (x, y) => ({ type: 'line', shape: { x1: x, y1: y - 8, x2: x, y2: y + heat.high * H.configs.length }, style: { stroke: css('--ink'), lineWidth: 1.5 } })),
    ],
  }, heat.top + heat.high * H.configs.length + 12, printing ? 'svg' : 'canvas'); // on paper lines, for a canvas may stay empty there
  heat.one = one;
  heat.back.disabled = heat.from === 0;
  heat.next.disabled = to === heat.total;
  place();
  heat.label.textContent = `tasks ${whole(heat.from + 1)} to ${whole(to)} of ${whole(heat.total)}`;
}

// boxes is a series of one shape a cell.
function boxes(data, shape) {
  return {
    type: 'custom', silent: true, data, encode: { x: 0, y: 1 }, renderItem: (_, api) => {
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const [w, h] = api.size([1, 1]);
      return shape(x - w / 2, y - h / 2, w, h);
    },
  };
}

function pointed(e) {
  const r = $('#heat-chart').getBoundingClientRect();
  const t = Math.floor((e.clientX - r.left - heat.left - 1) / heat.one), c = Math.floor((e.clientY - r.top - heat.top - 1) / heat.high);
  return t >= 0 && t < heat.wide && c >= 0 && c < H.configs.length ? [c, heat.from + t] : null;
}
function read(c, t) {
  $('#heat-read').replaceChildren(el('strong', {}, name(configWords(c))), ' at ', el('strong', {}, name(taskName(t))), ` (${STRATA[H.tasks.stratum[t]]}, effort ${fixed(H.tasks.effort[t], 3)}): ${cellWords(c, t)}.`);
}
// place puts the frame around the cell at hand: moving it draws nothing anew.
function place() {
  const frame = $('#heat-frame');
  frame.hidden = printing || heat.t < heat.from || heat.t >= heat.from + heat.wide || document.activeElement !== $('#heat-chart');
  frame.style.left = `${heat.left + (heat.t - heat.from) * heat.one}px`;
  frame.style.top = `${heat.top + heat.c * heat.high}px`;
  frame.style.width = `${heat.one + 2}px`;
  frame.style.height = `${heat.high + 2}px`;
}
function moveTo(c, t, tell) {
  const was = heat.from;
  heat.c = Math.max(0, Math.min(H.configs.length - 1, c));
  heat.t = Math.max(0, Math.min(heat.total - 1, t));
  // Half a screenful at a time, so that a held key draws anew but rarely.
  if (heat.t < heat.from || heat.t >= heat.from + heat.wide) heat.from = heat.t - (heat.wide >> 1);
  if (tell) heat.from = heat.t;
  heat.from = Math.max(0, Math.min(heat.from, heat.total - heat.wide));
  if (heat.from !== was) drawHeat(); else place();
  read(heat.c, heat.t);
  if (document.activeElement === $('#heat-chart') || tell) say($('#heat-read').textContent);
}
function turn(by) {
  heat.from = Math.max(0, Math.min(heat.total - heat.wide, heat.from + by * heat.wide));
  heat.t = Math.max(heat.from, Math.min(heat.from + heat.wide - 1, heat.t));
  drawHeat();
  say(heat.label.textContent);
}
function keys(e) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [0, -heat.wide], PageDown: [0, heat.wide], Home: [0, -heat.total], End: [0, heat.total] }[e.key];
  if (step) moveTo(heat.c + step[0], heat.t + step[1]);
  else if (e.key === 'Enter' || e.key === ' ') openCell(heat.c, heat.t);
  else return;
  e.preventDefault();
}

// cellTable is the cells of one configuration, a screenful of tasks at a time.
const PAGE = 100;
function cellTable(c, from = 0, hooks = true) {
  const to = Math.min(from + PAGE, heat.total);
  const box = el('div');
  const pick = el('select', { onchange: (e) => box.replaceWith(cellTable(Number(e.target.value))) }, ...H.configs.map((_, k) => el('option', { value: k, selected: k === c }, configWords(k))));
  const page = (f, text) => el('button', { type: 'button', disabled: f < 0 || f >= heat.total, onclick: () => box.replaceWith(cellTable(c, f, hooks)) }, text);
  const tools = el('div', { class: 'tools' }, hooks ? el('label', {}, 'Configuration ', pick) : null);
  if (heat.total > PAGE) tools.append(page(from - PAGE, 'Earlier tasks'), page(from + PAGE, 'Later tasks'));
  const rows = [];
  for (let t = from; t < to; t++) {
    const i = cellAt(c, t);
    rows.push([taskName(t), STRATA[H.tasks.stratum[t]], shownAs(H.reward[i], (x) => fixed(x, 3)), shownAs(H.masked[i], (x) => fixed(x, 3)), shownAs(H.failure[i], percent),
      [H.counted[i], `${whole(H.counted[i])} of ${whole(H.of[i])}`], shownAs(H.cost[i], (x) => (H.nocost[i] ? '≥ ' : '') + usd(x)),
      el('button', { type: 'button', class: 'link', 'aria-label': `Runs of ${configWords(c)} at ${taskName(t)}`, onclick: () => openCell(c, t) }, 'runs')]);
  }
  box.append(tools, figures(`${configWords(c)}: tasks ${whole(from + 1)} to ${whole(to)} of ${whole(heat.total)} by effort`,
    [['Task', 'text'], ['Stratum', 'text'], ['Reward', 'num'], ['Masked reward', 'num'], ['Expensive failures', 'num'], ['Runs that count', 'num'], ['Cost', 'num'], ['Drill-down', 'none']], rows));
  return box;
}

// The dialog holds focus while it is open, and Escape closes it.
function open(title, ...content) {
  const dialog = $('#drill');
  $('#drill-body').replaceChildren(el('button', { type: 'button', class: 'close', onclick: () => dialog.close() }, 'Close'), el('h2', { id: 'drill-title', tabindex: -1 }, ...title), ...content);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  $('#drill-title').focus();
}
function openConfig(i) {
  if (!H) return;
  const c = D.configs[i];
  open([name(c.n)], el('p', { class: 'basis' }, `Rank ${c.r} of ${D.configs.length}, AMS ${f4(c.p[0][0])}, ${count(c.k, 'run', 'runs')} on ${count(D.tasks, 'task', 'tasks')}.`), cellTable(i, 0, false));
}
const quoted = (s) => "'" + s.replaceAll("'", "''") + "'";
function openCell(c, t) {
  const i = cellAt(c, t);
  const T = H.tasks;
  const facts = el('p', { class: 'basis' }, `${STRATA[T.stratum[t]]}, effort ${fixed(T.effort[t], 3)} (place ${T.rank[t]} of the calibration), median tokens ${whole(T.tokens[t])}, median steps ${T.steps[t] ?? UNKNOWN}, share of zero rewards ${percent(T.zero[t])}. The cell: ${cellWords(c, t)}.`);
  let runs;
  if (!H.runs) {
    const sql = `SELECT * FROM runs WHERE config = ${quoted(H.configs[c])} AND benchmark = ${quoted(T.bench[t])} AND task = ${quoted(T.task[t])}${D.runs.mixed ? '' : ` AND description = ${quoted(D.condition)}`}`;
    runs = [el('p', {}, D.runs.mixed ? 'The cell averages several descriptions. amdb sql lists the runs of all:' : `The page carries no single runs: there are ${whole(D.runs.count)}, the bound is ${whole(Math.max(0, D.runs.bound))}. amdb sql lists them:`), el('pre', { tabindex: 0 }, sql)];
  } else if (!H.of[i]) runs = [el('p', {}, 'There is no run.')];
  else runs = [runTable(i)];
  open([name(configWords(c)), ' at ', name(taskName(t))], facts, ...runs);
}
function runTable(i) {
  const R = H.runs;
  const levels = D.strata[H.tasks.stratum[i % H.tasks.task.length]].b.length;
  const rows = [];
  R.cell.forEach((cell, k) => {
    if (cell !== i) return;
    rows.push([R.id[k], R.attempt[k], shownAs(R.reward[k], (x) => String(x)), shownAs(R.cost[k], (x) => usd(x) + (R.source[k] ? ' ' + R.source[k] : '')), [R.level[k], `${R.level[k]} of ${levels}`], shownAs(R.masked[k], (x) => fixed(x, 3)),
      R.expensive[k] ? 'yes' : 'no', R.counts[k] ? 'yes' : 'left out', shownAs(R.tokens[k], whole), shownAs(R.steps[k], whole), R.status[k] ?? [UNKNOWN, null]]);
  });
  return figures(count(rows.length, 'run', 'runs') + ', every attempt', [['Run', 'text'], ['Attempt', 'num'], ['Reward', 'num'], ['Cost', 'num'], ['Budgets within', 'num'], ['Masked reward', 'num'], ['Expensive failure', 'text'], ['Counts', 'text'], ['Tokens', 'num'], ['Steps', 'num'], ['Status', 'text']], rows);
}
