// Rank intervals, scores over α, and scores under other descriptions.

function drawRanks() {
  const box = document.getElementById('chart-ranks');
  if (!box) return;
  const rows = rowsOf('ranks');
  const left = gutter(box);
  draw('chart-ranks', {
    grid: { left, right: 22, top: 30, bottom: 10 },
    xAxis: axis({ type: 'value', position: 'top', min: 1, max: Math.max(2, D.configs.length), minInterval: 1 }),
    yAxis: nameAxis(rows, left),
    tooltip: tip((p) => {
      const c = rows[p.value[p.seriesType === 'custom' ? 2 : 1]];
      return [c.n, `rank ${c.r} of ${D.configs.length}`, c.rl == null ? 'no rank interval' : `${percent(D.level)} interval ${c.rl} to ${c.rh}`, `P(best) ${percent(c.pb)}`];
    }),
    series: [
      {
        type: 'custom', z: 1, encode: { x: [0, 1], y: 2 },
        data: rows.map((c, i) => (c.rl == null ? null : [c.rl, c.rh, i])).filter(Boolean),
        renderItem: (_, api) => {
          const a = api.coord([api.value(0), api.value(2)]);
          const b = api.coord([api.value(1), api.value(2)]);
          return { type: 'rect', shape: { x: a[0] - 4, y: a[1] - 4, width: b[0] - a[0] + 8, height: 8, r: 4 }, style: { fill: css('--accent'), opacity: 0.35 } };
        },
      },
      { type: 'scatter', z: 3, symbol: 'circle', symbolSize: 7, itemStyle: { color: css('--ink') }, data: rows.map((c, i) => [c.r, i]) },
    ],
  }, rows.length * rowHeight(rows) + 48);
}

function drawAlpha() {
  const cuts = D.alpha.leaders.slice(1).map((s) => s.from);
  const lines = layered((c, i) => ({ type: 'line', id: String(i), data: [[0, c.a[0]], [1, c.a[1]]] }));
  const rule = (x, style, text, position) => ({ xAxis: x, lineStyle: style, label: { formatter: text, color: css('--soft'), fontSize: 11, position } });
  lines.push({
    type: 'line', data: [[0, null]], silent: true, markLine: {
      silent: true, symbol: 'none', data: [
        ...cuts.map((x) => rule(x, { color: css('--mark'), type: 'dotted', width: 1.5 }, f4(x), 'end')),
        // Two labels at one place are none: the tables have the figures.
        rule(D.alpha.v, { color: css('--ink'), type: 'solid', width: 1 }, cuts.some((x) => Math.abs(x - D.alpha.v) < 0.15) ? '' : `${D.alpha.v} in force`, 'end'),
      ],
    },
  });
  draw('chart-alpha', {
    grid: { left: 54, right: 24, top: 30, bottom: 44 },
    xAxis: unit({ name: 'mixing weight α: 0 is AUBQC alone, 1 is TQ alone', nameGap: 26 }),
    yAxis: axis({ type: 'value', scale: true, name: 'AMS', nameGap: 38, axisLabel: { ...axis().axisLabel, formatter: (v) => v.toFixed(2) } }),
    tooltip: tip((p) => { const c = D.configs[p.seriesId]; return [c.n, `AMS ${f4(c.a[0])} at α = 0, ${f4(c.a[1])} at α = 1`, `${f4(c.p[0][0])} at the ${D.alpha.v} in force`]; }),
    series: lines,
  }, 340);
}

function drawWordings() {
  const w = D.wordings;
  const box = document.getElementById('chart-wordings');
  if (!w || !box) return;
  const left = gutter(box);
  const key = $('#wordings-key');
  key.replaceChildren(...w.conditions.map((c, k) => el('li', {}, mark(k), c)));
  for (const s of $$('svg', key)) { s.setAttribute('width', 26); s.setAttribute('height', 9); }
  const rows = w.targets.map((n) => ({ n }));
  draw('chart-wordings', {
    grid: { left, right: 18, top: 30, bottom: 10 },
    xAxis: axis({ type: 'value', scale: true, position: 'top', axisLabel: { ...axis().axisLabel, formatter: (v) => v.toFixed(2) } }),
    yAxis: { ...nameAxis(rows, left), axisLabel: { ...nameAxis(rows, left).axisLabel, color: css('--ink') } },
    tooltip: tip((p) => [w.targets[p.value[1]], `${w.conditions[p.seriesIndex]}: AMS ${f4(p.value[0])}`]),
    series: w.conditions.map((c, k) => ({
      type: 'scatter', symbol: SYMBOLS[k], symbolSize: 10, itemStyle: { color: colour(k), opacity: 0.9 },
      data: w.targets.map((_, t) => (w.ams[k][t] == null ? null : [w.ams[k][t], t])).filter(Boolean),
    })),
  }, rows.length * 26 + 48);
}
