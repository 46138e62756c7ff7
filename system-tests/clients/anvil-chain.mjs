// One EVM chain on several real anvil nodes. Every node has the same genesis and mines the same transactions at the same
// timestamps, so block hashes are equal on all of them, as on a real network; `mine` checks that they are.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const require = createRequire(import.meta.url);

export const CHAIN_ID = 31337;
export const GENESIS_TIME = 1_700_000_000;

/** Keys of anvil's public test mnemonic ("test test … junk"): known to everybody, worth nothing. */
export const ACCOUNTS = [
  ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'],
  ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'],
  ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'],
  ['0x90F79bf6EB2c4f870365E785982E1f101E93b906', '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6'],
].map(([address, privateKey]) => ({ address, privateKey }));

/** Calls one JSON-RPC method of one HTTP endpoint; throws an Error with `code` and `data` on a JSON-RPC error. */
export async function rpc(url, method, params = [], { timeoutMs = 10_000 } = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await response.json();
  if (answer.error) throw Object.assign(new Error(`${method}: ${answer.error.message}`), answer.error);
  return answer.result;
}

/** The path of the anvil binary that npm installed for this platform. */
function anvilBinary() {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  return require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`);
}

/** One anvil process. It keeps its port over restarts. */
class AnvilNode {
  #process;
  #output = [];

  port = 0;

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  get wsUrl() {
    return `ws://127.0.0.1:${this.port}`;
  }

  get alive() {
    return this.#process !== undefined;
  }

  async start() {
    const args = ['--host', '127.0.0.1', '--port', this.port, '--chain-id', CHAIN_ID, '--timestamp', GENESIS_TIME];
    args.push('--no-mining', '--order', 'fifo', '--color', 'never');
    const child = spawn(anvilBinary(), args.map(String), { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (this.#process === child) this.#process = undefined;
    });
    child.stderr.on('data', (text) => this.#remember(String(text)));
    this.port = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`anvil ended with ${code}:\n${this.#output.join('')}`)));
      child.stdout.on('data', (text) => {
        const match = /Listening on 127\.0\.0\.1:(\d+)/.exec(this.#remember(String(text)));
        if (match) resolve(Number(match[1]));
      });
    });
  }

  /** Ends the process at once, as a crash would. */
  async kill() {
    const child = this.#process;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  call(method, ...params) {
    return rpc(this.url, method, params);
  }

  #remember(text) {
    this.#output.push(text);
    if (this.#output.length > 50) this.#output.shift();
    return this.#output.join('');
  }
}

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * The chain. All changes go through one queue, so that blocks, kills and restarts never overlap.
 *
 * `history` is what a restarted node replays: for each block its timestamp, base fee and signed
 * transactions.
 */
export class AnvilChain {
  #history = [];
  #queue = Promise.resolve();
  #ticker;

  constructor(nodes) {
    this.nodes = nodes;
  }

  /** Starts `count` nodes on free ports. */
  static async start(count) {
    const chain = new AnvilChain(Array.from({ length: count }, () => new AnvilNode()));
    try {
      await Promise.all(chain.nodes.map((node) => node.start()));
      await chain.#sameHead();
    } catch (failure) {
      await chain.stop();
      throw failure;
    }
    return chain;
  }

  get alive() {
    return this.nodes.filter((node) => node.alive);
  }

  /** Mines `blocks` blocks on every living node, `seconds` apart in chain time; returns the new head. */
  mine(blocks = 1, seconds = 12) {
    return this.#inOrder(async () => {
      let head;
      for (let i = 0; i < blocks; i++) head = await this.#mineOne(seconds);
      return head;
    });
  }

  /** Mines a block every `intervalMs` until `stopTicking`. */
  tick(intervalMs) {
    const ticker = { stopped: false };
    this.#ticker = ticker;
    ticker.done = (async () => {
      while (!ticker.stopped) {
        await this.mine(1, 1);
        await delay(intervalMs);
      }
    })();
    ticker.done.catch(() => {});
  }

  async stopTicking() {
    const ticker = this.#ticker;
    if (!ticker) return;
    ticker.stopped = true;
    this.#ticker = undefined;
    await ticker.done;
  }

  /** Hands a signed transaction to every living node. */
  sendEverywhere(raw) {
    return this.#inOrder(async () => {
      const hashes = await Promise.all(this.alive.map((node) => offer(node, raw)));
      return hashes[0];
    });
  }

  /**
   * Replaces the newest `depth` blocks by `depth + 1` others on every living node. Transactions of the replaced blocks
   * are mined again in the first new block, unless `drop` is set.
   */
  reorg(depth, { drop = false } = {}) {
    return this.#inOrder(async () => {
      if (depth > this.#history.length) throw new Error(`cannot replace ${depth} of ${this.#history.length} blocks`);
      const removed = this.#history.splice(this.#history.length - depth, depth);
      await Promise.all(
        this.alive.map(async (node) => {
          await node.call('anvil_rollback', depth);
          await node.call('anvil_dropAllTransactions');
          if (!drop) for (const block of removed) for (const raw of block.transactions) await offer(node, raw);
        }),
      );
      let head;
      for (let i = 0; i <= depth; i++) head = await this.#mineOne(7);
      return head;
    });
  }

  /** Kills node `i` as a crash would. */
  kill(i) {
    return this.#inOrder(() => this.nodes[i].kill());
  }

  /** Starts a killed node again on its port; it replays the chain and must come to the same head. */
  restart(i) {
    return this.#inOrder(async () => {
      const node = this.nodes[i];
      if (node.alive) return;
      await node.start();
      for (const block of this.#history) await replay(node, block);
      await this.#sameHead();
    });
  }

  async stop() {
    await this.stopTicking();
    await this.#inOrder(() => Promise.all(this.nodes.map((node) => node.kill())));
  }

  #inOrder(action) {
    const result = this.#queue.then(action);
    this.#queue = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  async #mineOne(seconds) {
    const transactions = await this.#gossip();
    const last = this.#history.at(-1)?.timestamp ?? GENESIS_TIME;
    const block = { timestamp: last + seconds, transactions };
    await Promise.all(this.alive.map((node) => mineAt(node, block.timestamp)));
    const head = await this.#sameHead();
    block.baseFee = head.baseFeePerGas;
    this.#history.push(block);
    return head;
  }

  /** What a network's gossip does: afterwards every node would mine the same transactions in the same order. */
  async #gossip() {
    const pools = await Promise.all(this.alive.map(pendingHashes));
    const order = [...new Set(pools.flat())];
    if (order.length === 0) return [];
    const raws = new Map();
    for (const hash of order) {
      const holder = this.alive[pools.findIndex((pool) => pool.includes(hash))];
      raws.set(hash, await holder.call('eth_getRawTransactionByHash', hash));
    }
    await Promise.all(
      this.alive.map(async (node, i) => {
        for (const hash of order) if (!pools[i].includes(hash)) await offer(node, raws.get(hash));
      }),
    );
    const minable = await Promise.all(this.alive.map(pendingBlock));
    const agreed = minable[0];
    await Promise.all(
      this.alive.map(async (node, i) => {
        if (minable[i].join() === agreed.join()) return;
        await node.call('anvil_dropAllTransactions');
        for (const hash of agreed) await offer(node, raws.get(hash));
      }),
    );
    return agreed.map((hash) => raws.get(hash));
  }

  async #sameHead() {
    const heads = await Promise.all(this.alive.map((node) => node.call('eth_getBlockByNumber', 'latest', false)));
    const hashes = new Set(heads.map((head) => head.hash));
    if (hashes.size > 1) {
      throw new Error(`nodes differ: ${heads.map((head) => `${Number(head.number)} ${head.hash}`).join(', ')}`);
    }
    return heads[0];
  }
}

/** Gives a node a signed transaction; one that it already has is no error. */
async function offer(node, raw) {
  try {
    return await node.call('eth_sendRawTransaction', raw);
  } catch (failure) {
    if (/already imported|already known/i.test(failure.message)) return undefined;
    throw failure;
  }
}

async function pendingHashes(node) {
  const { pending, queued } = await node.call('txpool_content');
  return [pending, queued].flatMap((pool) =>
    Object.values(pool).flatMap((byNonce) => Object.values(byNonce).map((transaction) => transaction.hash)),
  );
}

async function pendingBlock(node) {
  return (await node.call('eth_getBlockByNumber', 'pending', false)).transactions;
}

async function replay(node, block) {
  for (const raw of block.transactions) await offer(node, raw);
  // after a rollback anvil goes on from the base fee of a block that it threw away; a replay must do the same
  await node.call('anvil_setNextBlockBaseFeePerGas', block.baseFee);
  await mineAt(node, block.timestamp);
}

async function mineAt(node, timestamp) {
  await node.call('evm_setNextBlockTimestamp', timestamp);
  await node.call('evm_mine');
}
