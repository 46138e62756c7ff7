// A real browser, headless, driven over its own DevTools protocol: opens one page at a time and hears
// every error on its console.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

const PLACES = [process.env.CHROMIUM_BIN, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const START_MS = 60_000;
const ANSWER_MS = 30_000;

/** The browser on this machine, or undefined. */
export function browserPath() {
  return PLACES.find((place) => place && existsSync(place));
}

export class Browser {
  static async start() {
    const profile = await mkdtemp(join(tmpdir(), 'lasso-browser-'));
    const process = spawn(
      browserPath(),
      ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const browser = new Browser(process, profile);
    try {
      browser.socket = await browser.connect(await browser.address());
      const { targetInfos } = await browser.send('Target.getTargets');
      const page = targetInfos.find((target) => target.type === 'page');
      const { sessionId } = await browser.send('Target.attachToTarget', { targetId: page.targetId, flatten: true });
      browser.session = sessionId;
      for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(`${domain}.enable`);
      return browser;
    } catch (failure) {
      await browser.close();
      throw failure;
    }
  }

  constructor(process, profile) {
    this.process = process;
    this.profile = profile;
    this.session = undefined;
    this.waiting = new Map();
    this.next = 1;
    /** What went wrong on the page, a line each. */
    this.errors = [];
    /** Every address that the page asked for, its own apart. */
    this.requests = [];
  }

  address() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no DevTools address within ${START_MS} ms: ${said}`)), START_MS);
      let said = '';
      this.process.stderr.on('data', (bytes) => {
        said += bytes;
        const found = said.match(/DevTools listening on (ws:\S+)/);
        if (found) {
          clearTimeout(timer);
          resolve(found[1]);
        }
      });
      this.process.on('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`the browser ended with ${code}: ${said}`));
      });
    });
  }

  connect(address) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, { maxPayload: 256 * 1024 * 1024 });
      socket.on('open', () => resolve(socket));
      socket.on('error', reject);
      socket.on('message', (text) => this.heard(JSON.parse(text)));
    });
  }

  heard(message) {
    if (message.id) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(JSON.stringify(message.error)));
      else resolve(message.result);
      return;
    }
    const { method, params } = message;
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) this.errors.push(JSON.stringify(params.args));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
    if (method === 'Network.requestWillBeSent' && !/^(data:|about:|file:)/.test(params.request.url)) this.requests.push(params.request.url);
  }

  send(method, params = {}) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_MS);
      this.waiting.set(id, {
        resolve: (result) => { clearTimeout(timer); resolve(result); },
        reject: (failure) => { clearTimeout(timer); reject(failure); },
      });
      this.socket.send(JSON.stringify({ id, method, params, sessionId: this.session }));
    });
  }

  /** Opens a page; resolves when its expression `ready` is true. */
  async open(url, { width, height = 900, dark = false, print = false }, ready) {
    this.errors.length = 0;
    this.requests.length = 0;
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send('Emulation.setEmulatedMedia', {
      media: print ? 'print' : 'screen',
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    });
    await this.send('Page.navigate', { url });
    const endMs = Date.now() + ANSWER_MS;
    while (!(await this.evaluate(ready))) {
      if (Date.now() > endMs) throw new Error(`${url} did not become ready: ${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** What an expression is on the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Moves the mouse with its button down from one place to another, in CSS pixels. */
  async drag(from, to) {
    const at = (type, place, buttons) => this.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', buttons, clickCount: 1 });
    await at('mousePressed', from, 1);
    await at('mouseMoved', { x: (from.x + to.x) / 2, y: to.y }, 1);
    await at('mouseMoved', to, 1);
    await at('mouseReleased', to, 0);
  }

  /** The whole page as PNG bytes. */
  async screenshot() {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true });
    return Buffer.from(data, 'base64');
  }

  /** The page as it would be printed, as PDF bytes. */
  async pdf() {
    const { data } = await this.send('Page.printToPDF', { printBackground: true });
    return Buffer.from(data, 'base64');
  }

  async close() {
    this.socket?.close();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill();
      await ended;
    }
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
