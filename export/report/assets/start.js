// Putting the page to work.
function drawChosen() { drawCurves(); drawCost(); drawAlpha(); drawParts(); drawRanks(); }
function drawAll() { drawChosen(); drawWordings(); drawHeat(); }

function showTheme() {
  root.dataset.theme = theme();
  $('#theme').textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme';
}
function repaint() { showTheme(); drawAll(); }

showTheme();
$('#theme').hidden = false;
$('#theme').addEventListener('click', () => {
  chosen = theme() === 'dark' ? 'light' : 'dark';
  try { localStorage.setItem('amdb-theme', chosen); } catch { /* it then lasts as long as the page */ }
  repaint();
});
prefersDark.addEventListener('change', repaint);

for (let i = 0; i < Math.min(5, D.configs.length); i++) slots[i] = i;
$$('table.sortable').forEach(makeSortable);
prepareBoard();
prepareFigures();
showChosen();
for (const radio of $$('input[name="parts"]')) radio.addEventListener('change', () => { partsOf = Number(radio.value); drawParts(); });
drawChosen();
drawWordings();

unpack().then((data) => { H = data; prepareHeat(); drawHeat(); root.dataset.ready = 'yes'; }, (err) => {
  $('#heat-read').textContent = `The heat map cannot be shown: this browser does not unpack its data (${err.message}).`;
  root.dataset.ready = 'no';
});

let width = innerWidth;
addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; requestAnimationFrame(drawAll); } });

// Paper is light and as wide as it is: charts are drawn anew for it.
function print(on) {
  if (printing === on) return;
  printing = on;
  root.classList.toggle('printing', on);
  repaint();
}
addEventListener('beforeprint', () => print(true));
addEventListener('afterprint', () => print(false));
matchMedia('print').addEventListener('change', (e) => print(e.matches));
