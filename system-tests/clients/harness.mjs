// The whole scene of a test file: a chain on real nodes, a fault proxy before each node, and Lasso before the proxies.
//
// Environment:
//   LASSO_HTTP, LASSO_WS  use this endpoint (for example http://127.0.0.1:4000/rpc/ethereum) instead of starting Lasso;
//   PROVIDER_PORTS        where the proxies listen then, comma-separated, so that the running Lasso's profile can name them;
//   CLIENTS_DIRECT=1      no Lasso: the clients talk to the first proxy, to try the suites themselves;
//   LASSO_BIN             the launcher to start, by default the `lasso` script of this repository.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AnvilChain, CHAIN_ID } from './anvil-chain.mjs';
import { FaultProxy } from './fault-proxy.mjs';

const READY_WITHIN_MS = 180_000;
const STOPPED_WITHIN_MS = 15_000; // 10 s are promised (DemoSystemIT); here other tests share the machine
const launcher = process.env.LASSO_BIN ?? fileURLToPath(new URL('../../lasso', import.meta.url));

// ended from outside, this process takes along what it started
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1));

/** Where the logs of the started Lassos are kept. */
const KEPT_LOGS = fileURLToPath(new URL('../target/client-logs/', import.meta.url));
let kept = 0;

/** Whether the suites run without Lasso, straight against a node. */
export const DIRECT = process.env.CLIENTS_DIRECT === '1';

/** The profile that names the proxies as providers of the chain `ethereum`, with or without their WebSocket URLs. */
function profileOf(proxies, { webSockets }) {
  const providers = proxies.map(
    (proxy, i) => `      - id: "node_${i}"
        name: "Node ${i}"
        url: "${proxy.url}"
${webSockets ? `        ws_url: "${proxy.wsUrl}"\n` : ''}        priority: ${i + 1}
        archival: true
        subscribe_new_heads: ${webSockets}
`,
  );
  return `name: "Client tests"
slug: "default"
rps_limit: 0
burst_limit: 0
chains:
  ethereum:
    chain_id: ${CHAIN_ID}
    name: "Anvil"
    block_time_ms: 1000
    monitoring:
      probe_interval_ms: 1000
      lag_alert_threshold_blocks: 10
    selection:
      max_lag_blocks: 5
    providers:
${providers.join('')}`;
}

/** One running `lasso up`. */
class LassoProcess {
  #child;
  #directory;

  static async start(profile) {
    const lasso = new LassoProcess();
    lasso.#directory = await mkdtemp(path.join(tmpdir(), 'lasso-clients-'));
    const profiles = path.join(lasso.#directory, 'profiles');
    await mkdir(profiles);
    await writeFile(path.join(profiles, 'default.yml'), profile);
    const data = path.join(lasso.#directory, 'data');
    const args = ['up', '--profiles', profiles, '--port', '0', '--kafka-port', '0', '--data-dir', data, '--ephemeral'];
    const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    lasso.#child = child;
    const killGroup = () => process.kill(-child.pid, 'SIGKILL');
    process.once('exit', killGroup);
    child.once('exit', () => process.off('exit', killGroup));
    child.stderr.pipe(createWriteStream(lasso.#log));
    try {
      Object.assign(lasso, await lasso.#ready());
    } catch (failure) {
      await lasso.stop().catch(() => {}); // why it did not start is what matters
      throw failure;
    }
    return lasso;
  }

  /** Waits for the ready line; resolves to its key-value pairs: {http, ws, kafka}. */
  async #ready() {
    const child = this.#child;
    const lines = createInterface({ input: child.stdout });
    const timer = AbortSignal.timeout(READY_WITHIN_MS);
    return new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`lasso ${why}; the end of its log:\n${this.#logTail()}`));
      timer.addEventListener('abort', () => fail(`was not ready within ${READY_WITHIN_MS / 1000} s`));
      child.once('error', (failure) => fail(`did not start: ${failure.message}`));
      child.once('exit', (code) => fail(`ended with ${code}`));
      lines.on('line', (line) => {
        if (!line.startsWith('lasso ready ')) return;
        const pairs = line.split(' ').slice(2);
        resolve(Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])));
      });
    });
  }

  /** SIGTERM; fails if the process needs too long, or if it logged an error. */
  async stop() {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit').then(() => true);
      child.kill('SIGTERM');
      if (!(await Promise.race([ended, delay(STOPPED_WITHIN_MS, false)]))) {
        process.kill(-child.pid, 'SIGKILL');
        await ended;
        throw new Error(`lasso was still running ${STOPPED_WITHIN_MS / 1000} s after SIGTERM:\n${this.#logTail()}`);
      }
    }
    await this.#keepLog();
    const errors = this.#logLines().filter((line) => /\bERROR\b/.test(line));
    if (errors.length) throw new Error(`lasso logged errors:\n${errors.slice(0, 20).join('\n')}`);
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** The log outlives the process, so that a failed test can be understood. */
  async #keepLog() {
    await mkdir(KEPT_LOGS, { recursive: true });
    await copyFile(this.#log, path.join(KEPT_LOGS, `${path.basename(process.argv[1], '.test.mjs')}-${process.pid}-${++kept}.log`));
  }

  get #log() {
    return path.join(this.#directory, 'lasso.log');
  }

  #logLines() {
    try {
      return readFileSync(this.#log, 'utf8').split('\n');
    } catch {
      return [];
    }
  }

  #logTail() {
    return this.#logLines().slice(-40).join('\n');
  }
}

/** Chain, proxies and endpoint. Fields are there after `start`. */
export class Scene {
  /** Starts everything; `providers` nodes, each behind its proxy. Call in `before`, and `stop` in `after`. */
  async start({ providers = 3, webSockets = true } = {}) {
    this.chain = await AnvilChain.start(providers);
    const ports = process.env.PROVIDER_PORTS?.split(',').map(Number) ?? [];
    this.proxies = await Promise.all(this.chain.nodes.map((node, i) => FaultProxy.start(node, ports[i])));
    await this.chain.mine(3);
    if (DIRECT) {
      this.http = this.proxies[0].url;
      this.ws = this.proxies[0].wsUrl;
    } else if (process.env.LASSO_HTTP) {
      this.http = process.env.LASSO_HTTP;
      this.ws = process.env.LASSO_WS;
    } else {
      this.lasso = await LassoProcess.start(profileOf(this.proxies, { webSockets }));
      this.http = `${this.lasso.http}/rpc/ethereum`;
      this.ws = `${this.lasso.ws}/rpc/ethereum`;
    }
  }

  async stop() {
    try {
      await this.lasso?.stop();
    } finally {
      await Promise.all(this.proxies?.map((proxy) => proxy.stop()) ?? []);
      await this.chain?.stop();
    }
  }

  /** Waits until Lasso calls every provider healthy and would send requests to it. */
  async allServing({ withinMs = 60_000 } = {}) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const { providers } = await (await fetch(new URL('/api/providers/ethereum', this.http))).json();
      const channels = providers.flatMap(({ id, transports }) =>
        Object.entries(transports).map(([word, { circuit, rejected }]) => ({ channel: `${id} ${word}`, circuit, rejected })),
      );
      const out = channels.filter(({ circuit, rejected }) => circuit !== 'closed' || rejected);
      if (channels.length > 0 && out.length === 0) return;
      if (performance.now() > deadline) throw new Error(`not all serving within ${withinMs} ms: ${JSON.stringify(out)}`);
      await delay(100);
    }
  }

  /** What a node itself says, past Lasso and past the proxies. */
  truth(method, ...params) {
    return this.chain.alive[0].call(method, ...params);
  }
}
