// Charts by Apache ECharts. Each is a function from the page's state to an
// option; draw redraws it. Nothing moves: there is no animation at all.
const charts = new Map();

function draw(id, option, height, renderer) {
  const box = document.getElementById(id);
  if (!box) return null;
  if (height) box.style.height = height + 'px';
  let chart = charts.get(id);
  if (chart && chart.kind !== renderer) {
    chart.dispose();
    chart = null;
  }
  if (!chart) {
    chart = echarts.init(box, null, { renderer: renderer || 'svg' });
    chart.kind = renderer;
    charts.set(id, chart);
  }
  chart.resize({ width: box.clientWidth, height: box.clientHeight });
  chart.setOption({ animation: false, textStyle: { fontFamily: getComputedStyle(document.body).fontFamily }, ...option }, true);
  return chart;
}

function axis(more) {
  return {
    axisLine: { lineStyle: { color: css('--line') } }, axisTick: { lineStyle: { color: css('--line') } },
    splitLine: { lineStyle: { color: css('--faint') } },
    axisLabel: { color: css('--soft'), fontSize: 11.5, hideOverlap: true },
    nameTextStyle: { color: css('--soft'), fontSize: 11.5 }, nameLocation: 'middle', ...more,
  };
}
// tip is a tooltip whose content is built as elements, so names stay text.
function tip(lines) {
  return {
    trigger: 'item', confine: true, appendTo: null, backgroundColor: css('--panel'), borderColor: css('--line'), padding: [6, 10],
    textStyle: { color: css('--ink') },
    formatter: (p) => {
      const [head, ...rest] = lines(p);
      return el('div', { class: 'tip' }, el('b', {}, name(head)), ...rest.map((t) => el('span', {}, t)));
    },
  };
}
const unit = (more) => axis({ type: 'value', min: 0, max: 1, ...more });

// layered gives grey series for all, and coloured ones on top for the chosen.
function layered(make) {
  const out = [];
  D.configs.forEach((c, i) => { if (slotOf(i) < 0) out.push({ ...make(c, i), ...quiet() }); });
  slots.forEach((i, slot) => { if (i >= 0) out.push({ ...make(D.configs[i], i), ...loud(slot) }); });
  return out;
}
const quiet = () => ({ silent: true, showSymbol: false, z: 1, lineStyle: { color: css('--line'), width: 1, opacity: D.configs.length > 40 ? 0.35 : 0.6 } });
const loud = (slot) => ({
  z: 3, symbol: SYMBOLS[slot], symbolSize: 7, showSymbol: true,
  lineStyle: { color: colour(slot), width: 2, type: DASHES[slot] }, itemStyle: { color: colour(slot) },
});

function drawCurves() {
  D.strata.forEach((s, k) => draw('chart-curve-' + k, {
    grid: { left: 46, right: 14, top: 14, bottom: 52 },
    xAxis: axis({ type: 'category', boundaryGap: false, data: s.b.map((_, l) => l), name: 'budget per run, level by level', nameGap: 30, axisLabel: { ...axis().axisLabel, formatter: (l) => usdShort(s.b[l]) } }),
    yAxis: unit({ name: 'quality', nameGap: 32 }),
    tooltip: tip((p) => { const c = D.configs[p.seriesId]; return [c.n, `budget ${usd(s.b[p.dataIndex])}: quality ${f4(p.value)}`, `${whole(c.qt[k])} of ${count(s.t, 'task', 'tasks')}; AUBQC ${f4(c.p[k + 1][2])}`]; }),
    series: layered((c, i) => ({ type: 'line', id: String(i), data: c.q[k] })),
  }));
}

function drawCost() {
  const known = D.configs.map((c, i) => ({ c, i })).filter((x) => x.c.c != null);
  const log = known.length > 0 && known.every((x) => x.c.c > 0);
  const roomy = (document.getElementById('chart-cost')?.clientWidth ?? 0) > 520;
  const costs = known.map((x) => x.c.c);
  const front = known.filter((x) => x.c.f).sort((a, b) => a.c.c - b.c.c || a.c.mr - b.c.mr);
  const point = ({ c, i }) => {
    const slot = slotOf(i);
    return {
      value: [c.c, c.mr], i, symbol: slot < 0 ? 'circle' : SYMBOLS[slot], symbolSize: slot < 0 ? 8 : 12,
      itemStyle: { color: slot >= 0 ? colour(slot) : c.f ? css('--ink') : css('--line') },
      label: {
        show: roomy && (slot >= 0 || c.f), formatter: isolated(middled(c.n, 32)), color: css('--ink'), fontSize: 11.5, distance: 7,
        position: c.f && front.findIndex((x) => x.i === i) % 2 ? 'bottom' : 'top', textBorderColor: css('--panel'), textBorderWidth: 3,
      },
    };
  };
  const axisOf = log ? { type: 'log', logBase: Math.max(...costs) / Math.min(...costs) < 200 ? 2 : 10, min: Math.min(...costs) / 1.5, max: Math.max(...costs) * 1.5 } : { type: 'value', min: 0 };
  draw('chart-cost', {
    grid: { left: 54, right: 18, top: 18, bottom: 48 },
    xAxis: axis({ ...axisOf, name: `total cost of all runs, US dollars${log ? ', logarithmic' : ''}`, nameGap: 28, axisLabel: { ...axis().axisLabel, formatter: usdShort, showMinLabel: !log, showMaxLabel: !log } }),
    yAxis: axis({ type: 'value', scale: true, name: 'mean reward', nameGap: 38, axisLabel: { ...axis().axisLabel, formatter: (v) => v.toFixed(2) } }),
    tooltip: tip((p) => { const c = D.configs[p.data.i]; return [c.n, `mean reward ${f4(c.mr)} over ${count(D.tasks, 'task', 'tasks')}`, `total cost ${usd(c.c)} of ${count(c.k, 'run', 'runs')}`, c.f ? 'on the Pareto front' : 'not on the front']; }),
    series: [
      { type: 'line', silent: true, step: 'end', showSymbol: false, z: 1, data: front.map((x) => [x.c.c, x.c.mr]), lineStyle: { color: css('--ink'), width: 1.25, type: 'dashed' } },
      { type: 'scatter', z: 3, data: known.map(point), labelLayout: { hideOverlap: true } },
    ],
  });
}

// Charts with a row a configuration show the first ones until asked for all.
const FIRST = 40;
const whole_ = { parts: false, ranks: false };
function rowsOf(which) {
  const all = D.configs.length <= FIRST || whole_[which];
  const more = $(`[data-more="${which}"]`);
  if (more && D.configs.length > FIRST) {
    more.replaceChildren(`${all ? 'All' : 'The first ' + FIRST + ' of'} ${D.configs.length} configurations. `,
      el('button', { type: 'button', onclick: () => { whole_[which] = !whole_[which]; drawAll(); } }, all ? `Show the first ${FIRST}` : `Show all ${D.configs.length}`));
  }
  return all ? D.configs : D.configs.slice(0, FIRST);
}
const rowHeight = (rows) => (printing ? Math.max(11, Math.min(19, 440 / rows.length)) : 19);
function gutter(box) { return Math.max(128, Math.min(230, Math.round(box.clientWidth * 0.3))); }
function nameAxis(rows, width) {
  return axis({
    type: 'category', inverse: true, data: rows.map((c) => c.n), axisTick: { show: false }, splitLine: { show: true, lineStyle: { color: css('--faint') } },
    axisLabel: { color: (v, i) => (slotOf(i) >= 0 ? css('--ink') : css('--soft')), fontSize: 11.5, interval: 0, width: width - 12, overflow: 'truncate', formatter: (v) => isolated(middled(v, Math.floor((width - 14) / 6.9))) },
  });
}

let partsOf = 0;
function drawParts() {
  const box = document.getElementById('chart-parts');
  if (!box) return;
  const rows = rowsOf('parts');
  const left = gutter(box);
  const at = (k) => rows.map((c, i) => ({ value: [c.p[partsOf][k], i] }));
  const dots = (k, symbol, size, style, z) => ({ type: 'scatter', name: PARTS[k], data: at(k), symbol, symbolSize: size, itemStyle: style, z });
  draw('chart-parts', {
    grid: { left, right: 18, top: 30, bottom: 10 },
    xAxis: unit({ position: 'top' }),
    yAxis: nameAxis(rows, left),
    tooltip: tip((p) => { const c = rows[p.value[p.seriesType === 'custom' ? 2 : 1]]; return [c.n, ...PARTS.map((n, k) => `${n} ${f4(c.p[partsOf][k])}`), partsOf ? `${STRATA[partsOf - 1]}, ${count(D.strata[partsOf - 1].t, 'task', 'tasks')}` : `all three strata, ${count(D.tasks, 'task', 'tasks')}`]; }),
    series: [
      {
        type: 'custom', silent: true, z: 1, data: rows.map((c, i) => [c.p[partsOf][2], c.p[partsOf][1], i]), encode: { x: [0, 1], y: 2 },
        renderItem: (_, api) => {
          const a = api.coord([api.value(0), api.value(2)]);
          const b = api.coord([api.value(1), api.value(2)]);
          return { type: 'line', shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke: css('--line'), lineWidth: 2 } };
        },
      },
      dots(3, 'path://M0 1L1 0L5 4L9 0L10 1L6 5L10 9L9 10L5 6L1 10L0 9L4 5Z', 7, { color: css('--mark') }, 2),
      dots(2, 'rect', 7, { color: css('--panel'), borderColor: css('--c4'), borderWidth: 2 }, 3),
      dots(1, 'diamond', 9, { color: css('--panel'), borderColor: css('--c2'), borderWidth: 2 }, 3),
      dots(0, 'circle', 9, { color: css('--accent') }, 4),
    ],
  }, rows.length * rowHeight(rows) + 48);
}
