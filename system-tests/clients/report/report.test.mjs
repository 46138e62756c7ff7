// The page of `lasso replay report`, made from a recorded incident, opened in a real browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Browser, browserPath } from './browser.mjs';

const HERE = import.meta.dirname;
const LASSO = process.env.LASSO_BIN ?? resolve(HERE, '../../../lasso');
const TRACE = process.env.REPORT_TRACE ?? resolve(HERE, '../../../launcher/src/test/resources/replay/incident-1.trace');
const SHOTS = process.env.REPORT_SHOTS; // a directory that gets the pictures, to look at
const READY = "document.documentElement?.dataset.ready === 'yes'";
const LAPTOP = 1024;

const skip = browserPath() ? false : 'no Chromium on this machine: install Debian\'s package chromium, or set CHROMIUM_BIN';

describe('the report', { skip }, () => {
  let directory;
  let url;
  let browser;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lasso-report-'));
    const page = join(directory, 'incident.html');
    await promisify(execFile)(LASSO, ['replay', 'report', '--trace', TRACE, '--out', page]);
    url = pathToFileURL(page).href;
    browser = await Browser.start();
  });

  after(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function shown(name) {
    assert.deepEqual(browser.errors, []);
    assert.deepEqual(browser.requests, []);
    if (SHOTS) {
      await mkdir(SHOTS, { recursive: true });
      await writeFile(join(SHOTS, `${name}.png`), await browser.screenshot());
    }
  }

  /** Lightness of a colour such as rgb(20, 24, 27), 0 to 255. */
  async function lightness(selector, property) {
    const colour = await browser.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
    const parts = colour.match(/\d+/g).slice(0, 3).map(Number);
    return parts.reduce((a, b) => a + b) / 3;
  }

  async function drawn() {
    return browser.evaluate(`({
      plots: document.querySelectorAll('#providers svg').length,
      endpoints: data.endpoints.length,
      withLatency: data.endpoints.filter(e => e.p50.some(v => v !== null)).length,
      latencies: document.querySelectorAll('#providers path[stroke="var(--accent)"]').length,
      marks: document.querySelectorAll('#lanes circle, #lanes rect').length,
      open: document.querySelectorAll('#providers rect[fill="var(--bad)"]').length,
      events: document.querySelectorAll('#events tr').length,
      entries: data.entries.length,
      broken: [...document.querySelectorAll('svg *')].filter(e => /NaN|Infinity|undefined/.test(e.outerHTML)).length,
      wide: document.documentElement.scrollWidth - innerWidth,
    })`);
  }

  for (const [name, view] of Object.entries({
    light: { width: 1440 },
    dark: { width: 1440, dark: true },
    laptop: { width: LAPTOP },
    narrow: { width: 640 },
    printed: { width: 794, print: true },
  })) {
    it(`draws every plot, ${name}`, async () => {
      await browser.open(url, view, READY);
      const page = await drawn();
      assert.ok(page.endpoints > 0);
      assert.equal(page.plots, page.endpoints);
      assert.equal(page.latencies, page.withLatency);
      assert.equal(page.marks, page.entries);
      assert.equal(page.events, page.entries);
      assert.ok(page.open > 0, 'an open circuit is drawn');
      assert.equal(page.broken, 0);
      assert.ok(page.wide <= 0, `scrolls sideways by ${page.wide} px`);
      const ground = await lightness('body', 'backgroundColor');
      const ink = await lightness('body', 'color');
      assert.ok(view.dark ? ground < 60 && ink > 180 : ground > 200 && ink < 80, `ground ${ground}, ink ${ink}`);
      await shown(name);
    });
  }

  it('zooms into what is dragged across and out again', async () => {
    await browser.open(url, { width: 1440 }, READY);
    const whole = await browser.evaluate('view.to - view.from');
    const box = await browser.evaluate("(({ x, y, width, height }) => ({ x, y, width, height }))(document.getElementById('lanes').getBoundingClientRect())");
    const y = box.y + box.height / 2;
    await browser.drag({ x: box.x + box.width * 0.5, y }, { x: box.x + box.width * 0.75, y });
    const zoomed = await browser.evaluate('view.to - view.from');
    assert.ok(zoomed < whole * 0.4 && zoomed > whole * 0.15, `${zoomed} of ${whole} ms`);
    const inside = await browser.evaluate('data.entries.filter(e => e.end >= view.from && e.at <= view.to).length');
    assert.equal(await browser.evaluate("document.querySelectorAll('#events tr').length"), Math.max(1, inside));
    assert.equal((await drawn()).broken, 0);
    await shown('zoomed');
    await browser.evaluate("document.getElementById('reset').click()");
    assert.equal(await browser.evaluate('view.to - view.from'), whole);
    // let go over a plot what was taken elsewhere
    await browser.evaluate("document.getElementById('lanes').dispatchEvent(new PointerEvent('pointerup', { clientX: 700, clientY: 300 }))");
    assert.equal(await browser.evaluate('view.to - view.from'), whole);
    assert.deepEqual(browser.errors, []);
  });

  it('filters its table', async () => {
    await browser.open(url, { width: 1440 }, READY);
    await browser.evaluate("document.getElementById('find').value = 'alpha'; events()");
    const rows = await browser.evaluate("[...document.querySelectorAll('#events tr')].map(r => r.textContent)");
    assert.ok(rows.length > 0);
    for (const row of rows) assert.match(row, /alpha/);
  });

  it('prints on pages', async () => {
    await browser.open(url, { width: 794, print: true }, READY);
    const pdf = await browser.pdf();
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    if (SHOTS) await writeFile(join(SHOTS, 'printed.pdf'), pdf);
  });
});
