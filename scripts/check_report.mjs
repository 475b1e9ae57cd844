// The check that scripts/check_report runs.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(resolve(process.env.CHECK_REPORT_MODULES, 'node_modules') + '/');
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const [file, pictures] = process.argv.slice(2);
const url = pathToFileURL(resolve(file)).href;
const faults = [];
const hold = (ok, what) => { if (!ok) faults.push(what); };
if (pictures) mkdirSync(pictures, { recursive: true });
const picture = (page, name, more = {}) => (pictures ? page.screenshot({ path: `${pictures}/${name}.png`, ...more }) : null);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

async function open(width, height, colorScheme) {
  // axe is put into the page by the test, past the page's policy; the policy
  // itself is held below, in a page of its own.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
  return watch(await context.newPage(), `${width} ${colorScheme}`);
}
async function watch(page, where) {
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) faults.push(`${where}: console ${m.type()}: ${m.text()}`); });
  page.on('pageerror', (e) => faults.push(`${where}: ${e.stack}`));
  page.on('request', (r) => { if (r.url() !== url) faults.push(`${where}: request of ${r.url().slice(0, 80)}`); });
  const start = Date.now();
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { timeout: 30000 });
  hold(await page.getAttribute('html', 'data-ready') === 'yes', `${where}: the packed data were not unpacked`);
  console.log(`${where}: ready after ${Date.now() - start} ms`);
  return page;
}

// The policy: it stands, and stops a request, a foreign script and an inline one.
async function policy() {
  const context = await browser.newContext();
  const page = await watch(await context.newPage(), 'policy');
  page.removeAllListeners('console');
  page.removeAllListeners('request'); // one that the policy stops is announced all the same
  const blocked = await page.evaluate(async () => {
    const seen = [];
    document.addEventListener('securitypolicyviolation', (e) => seen.push(e.effectiveDirective));
    await fetch('https://example.invalid/').catch(() => {});
    const img = new Image();
    img.src = 'https://example.invalid/x.png';
    const s = document.createElement('script');
    s.textContent = 'window.hostile = true';
    document.body.append(s);
    await new Promise((r) => setTimeout(r, 200));
    return { seen, hostile: !!window.hostile };
  });
  for (const d of ['connect-src', 'img-src', 'script-src-elem']) hold(blocked.seen.includes(d), `policy: ${d} was not stopped`);
  hold(!blocked.hostile, 'policy: an inline script ran');
  await context.close();
}

async function marks(page, where) {
  const found = await page.evaluate(() => [...document.querySelectorAll('[id^="chart-"]')].map((b) => ({ id: b.id, marks: b.querySelectorAll('svg path, svg circle, svg rect, svg line').length })));
  for (const c of found) hold(c.marks >= 5, `${where}: ${c.id} has ${c.marks} marks`);
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector('#heat-chart canvas');
    if (!canvas) return 0;
    const d = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const seen = new Set();
    for (let i = 0; i < d.length; i += 4 * 7) seen.add(d[i] + ',' + d[i + 1] + ',' + d[i + 2]);
    return seen.size;
  });
  hold(colours >= 3, `${where}: the heat map has ${colours} colours`);
  console.log(`${where}: marks ${found.map((c) => `${c.id} ${c.marks}`).join(', ')}, heat map ${colours} colours`);
}

async function accessible(page, where) {
  await page.addScriptTag({ content: axe });
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  for (const v of violations) {
    const line = `${where}: axe ${v.impact}: ${v.id}: ${v.help} (${v.nodes.length}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join('; ')})`;
    if (['serious', 'critical'].includes(v.impact)) faults.push(line); else console.log(line);
  }
}

async function sorting(page) {
  if (!(await page.locator('#board').count())) return;
  const keys = (n) => page.$$eval('#board tbody tr', (rows, n) => rows.map((r) => r.cells[n].dataset.v), n);
  const ordered = (v, down) => v.filter((x) => x !== '').every((x, i, a) => i === 0 || (down ? +a[i - 1] >= +x : +a[i - 1] <= +x)) && v.slice(v.filter((x) => x !== '').length).every((x) => x === '');
  const head = page.locator('#board thead tr:last-child th');
  const cost = head.filter({ hasText: 'Total cost' });
  const column = await cost.evaluate((th) => th.cellIndex);
  await cost.locator('button').click();
  hold(await cost.getAttribute('aria-sort') === 'ascending' && ordered(await keys(column), false), 'sorting by mouse: total cost does not ascend');
  await cost.locator('button').click();
  hold(await cost.getAttribute('aria-sort') === 'descending' && ordered(await keys(column), true), 'sorting by mouse: total cost does not descend, unknown last');
  const rank = head.filter({ hasText: /^Rank$/ });
  await rank.locator('button').focus();
  await page.keyboard.press('Enter');
  hold(await rank.getAttribute('aria-sort') === 'ascending' && ordered(await keys(1), false), 'sorting by keyboard: rank does not ascend');
  hold(await page.locator('#board th[aria-sort]').count() === 1, 'sorting: more than one column says that it sorts');
}

async function drilling(page) {
  const dialog = page.locator('#drill');
  const box = page.locator('#heat-chart');
  await box.scrollIntoViewIfNeeded();
  await box.click({ position: { x: 245, y: 40 } }); // a cell beside the names
  hold(await dialog.evaluate((d) => d.open), 'drill-down by mouse: nothing opened');
  hold(await dialog.locator('tbody tr, pre, p').count() >= 2, 'drill-down by mouse: nothing in it');
  const words = await dialog.innerText();
  console.log('drill-down:', words.replace(/\s+/g, ' ').slice(0, 300));
  await page.keyboard.press('Escape');
  hold(!(await dialog.evaluate((d) => d.open)), 'drill-down: Escape does not close it');
  await box.focus();
  for (const k of ['Home', 'ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(k);
  hold(await dialog.evaluate((d) => d.open && d.contains(document.activeElement)), 'drill-down by keyboard: nothing opened, or focus is elsewhere');
  await picture(page, 'drill');
  await page.keyboard.press('Escape');
  hold(await box.evaluate((b) => document.activeElement === b), 'drill-down: focus does not come back');
  if (!(await page.locator('#board').count())) return;
  await page.locator('#board button.link').first().focus();
  await page.keyboard.press('Enter');
  hold(await dialog.locator('tbody tr').count() > 0, 'a configuration opens no table');
  await dialog.locator('tbody button').first().press('Enter');
  hold(/ at /.test(await dialog.locator('h2').innerText()), 'a configuration’s cell does not open');
  await page.keyboard.press('Escape');
}

async function choosing(page) {
  const boxes = page.locator('#board input[type=checkbox]');
  const before = await page.locator('#cost .legend li').count();
  const free = page.locator('#board input[type=checkbox]:not(:checked)').first();
  if (await boxes.count() > 6) {
    await free.focus();
    await page.keyboard.press('Space');
    hold(await page.locator('#cost .legend li').count() === before + 1, 'a tick adds nothing to the legends');
  }
  for (const d of await page.locator('details').all()) {
    await d.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await d.locator('tr, li, pre').first().waitFor({ timeout: 2000 }).catch(() => faults.push(`nothing in details ${d}`));
  }
}

const sideways = (page) => page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);

await policy();
for (const scheme of ['light', 'dark']) {
  for (const [name, width, height] of [['phone', 360, 740], ['laptop', 1366, 768]]) {
    const page = await open(width, height, scheme);
    const where = `${name} ${scheme}`;
    await marks(page, where);
    hold(await sideways(page) <= 0, `${where}: the page is ${await sideways(page)} px wider than its window`);
    await picture(page, `${name}-${scheme}`, { fullPage: true });
    if (pictures && name === 'laptop') await page.pdf({ path: `${pictures}/print-${scheme}.pdf`, preferCSSPageSize: true, printBackground: false });
    hold(await page.getAttribute('html', 'data-theme') === scheme, `${where}: the theme is not what it was before printing`);
    if (name === 'laptop' && scheme === 'light') { await sorting(page); await drilling(page); }
    if (scheme === 'light') await choosing(page);
    await accessible(page, where);
    if (name === 'laptop') {
      await page.locator('#theme').click();
      hold(await page.getAttribute('html', 'data-theme') !== scheme, `${where}: the button does not change the theme`);
      await page.locator('#theme').click();
    }
    await page.context().close();
  }
}
await browser.close();
for (const f of faults) console.error('FAULT ' + f);
console.log(faults.length ? `${faults.length} faults` : 'no faults');
process.exit(faults.length ? 1 : 0);
