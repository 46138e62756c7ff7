import assert from 'node:assert/strict';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Contract, ContractFactory, Wallet } from 'ethers';
import { createPublicClient, http } from 'viem';
import { ACCOUNTS } from '../anvil-chain.mjs';
import { Dial } from '../contract/compile.mjs';
import { deadlineMsOf } from './deadlines.mjs';
import { ethersProvider } from './ethers.mjs';

/** Environment: LOAD_READS, LOAD_CONCURRENCY; DEADLINE_SLACK_MS is added to the deadlines for what the
 * client libraries need, beside the time for which this very process was not scheduled. */
const READS = Number(process.env.LOAD_READS ?? 2000);
const CONCURRENCY = Number(process.env.LOAD_CONCURRENCY ?? 8);
const SLACK_MS = Number(process.env.DEADLINE_SLACK_MS ?? 1000);
const FAULT_LASTS_MS = 6_000;
const USED_AGAIN_WITHIN_MS = 45_000;

/** What befalls the first, second and third provider, and how each recovers. */
const FAULTS = [
  {
    name: 'one is killed',
    async strike({ chain, proxies }, i) {
      await proxies[i].become('refuse');
      await chain.kill(i);
    },
    async heal({ chain, proxies }, i) {
      await chain.restart(i);
      await proxies[i].become('pass');
    },
  },
  {
    name: 'one hangs',
    strike: ({ proxies }, i) => proxies[i].become('hang'),
    heal: ({ proxies }, i) => proxies[i].become('pass'),
  },
  {
    name: 'one answers 429',
    strike: ({ proxies }, i) => proxies[i].become('rateLimited', { retryAfterSeconds: 2 }),
    heal: ({ proxies }, i) => proxies[i].become('pass'),
  },
];

/** Methods that only this suite's clients send, no prober: their count at a proxy says whether clients use it. */
const CLIENT_METHODS = ['eth_getBalance', 'eth_call', 'eth_getLogs', 'eth_getTransactionReceipt', 'eth_getTransactionByHash'];

/** Reads while each of three providers in turn is killed, hangs, or answers 429. */
export function loadSuite(scene) {
  describe(`${READS} mixed reads while providers fail in turn`, () => {
    const ethers = {};
    let reads;

    before(async () => {
      ethers.provider = ethersProvider(scene.http);
      const wallet = new Wallet(ACCOUNTS[0].privateKey, ethers.provider);
      const contract = await new ContractFactory(Dial.abi, Dial.bytecode, wallet).deploy();
      await scene.chain.mine();
      const receipt = await contract.deploymentTransaction().wait(1, 10_000);
      const turned = await new Contract(await contract.getAddress(), Dial.abi, wallet).turnTo(42n);
      await scene.chain.mine();
      await turned.wait(1, 10_000);
      reads = readsOf({
        viem: createPublicClient({ transport: http(scene.http, { retryCount: 0 }), cacheTime: 0 }),
        ethers: ethers.provider,
        address: await contract.getAddress(),
        receipt,
        turned: turned.hash,
      });
      scene.chain.tick(1000);
    });

    after(async () => {
      await scene.chain.stopTicking();
      ethers.provider.destroy();
    });

    FAULTS.forEach((fault, i) => {
      test(`${fault.name}: no call fails, none is late, and it is used again`, async (context) => {
        const proxy = scene.proxies[i];
        const burst = new Burst(reads);
        const share = Math.ceil(READS / FAULTS.length);
        const running = burst.run(share, CONCURRENCY);
        await burst.reached(share / 4);
        await fault.strike(scene, i);
        const struck = performance.now();
        await running;
        while (performance.now() - struck < FAULT_LASTS_MS) await burst.run(5, 5);
        await fault.heal(scene, i);
        const recovered = performance.now();
        const usedBefore = proxy.answeredOf(...CLIENT_METHODS);
        while (proxy.answeredOf(...CLIENT_METHODS) === usedBefore && performance.now() - recovered < USED_AGAIN_WITHIN_MS) {
          await burst.run(5, 5);
          await delay(200);
        }
        const usedAgainMs = performance.now() - recovered;
        context.diagnostic(`${burst.summary()}; used again after ${Math.round(usedAgainMs)} ms`);
        assert.deepEqual(burst.failures, []);
        assert.deepEqual(burst.late, []);
        assert.ok(proxy.answeredOf(...CLIENT_METHODS) > usedBefore, `not used again within ${USED_AGAIN_WITHIN_MS} ms`);
      });
    });
  });
}

/** The mix: each read has a name, its deadline, and how to make it; it checks its own answer. */
function readsOf({ viem, ethers, address, receipt, turned }) {
  const dial = new Contract(address, Dial.abi, ethers);
  const account = ACCOUNTS[3].address;
  const is = (expected) => (actual) => assert.equal(actual, expected);
  const balance = 10_000n * 10n ** 18n;
  const at = BigInt(receipt.blockNumber);
  const read = (library, method, call, check) => ({ name: `${library} ${method}`, deadlineMs: deadlineMsOf(method), call, check });
  return [
    read('viem', 'eth_blockNumber', () => viem.getBlockNumber(), (n) => assert.ok(n >= at)),
    read('ethers', 'eth_blockNumber', () => ethers.getBlockNumber(), (n) => assert.ok(BigInt(n) >= at)),
    read('viem', 'eth_getBalance', () => viem.getBalance({ address: account }), is(balance)),
    read('ethers', 'eth_getBalance', () => ethers.getBalance(account), is(balance)),
    read('viem', 'eth_getBlockByNumber', () => viem.getBlock({ blockNumber: at }).then((b) => b.hash), is(receipt.blockHash)),
    read('ethers', 'eth_getBlockByNumber', () => ethers.getBlock(Number(at)).then((b) => b.hash), is(receipt.blockHash)),
    read('viem', 'eth_getTransactionReceipt', () => viem.getTransactionReceipt({ hash: turned }).then((r) => r.status), is('success')),
    read('ethers', 'eth_getTransactionByHash', () => ethers.getTransaction(receipt.hash).then((t) => t.blockHash), is(receipt.blockHash)),
    read('viem', 'eth_call', () => viem.readContract({ address, abi: Dial.abi, functionName: 'position' }), is(42n)),
    read('ethers', 'eth_call', () => dial.position(), is(42n)),
    read('viem', 'eth_getLogs', () => viem.getLogs({ address, fromBlock: at, toBlock: at + 1n }).then((l) => l.length), is(1)),
    read('ethers', 'eth_getLogs', () => ethers.getLogs({ address, fromBlock: at, toBlock: at + 1n }).then((l) => l.length), is(1)),
  ];
}

/** The endpoint's own words, with the attempts that it lists, where a library keeps them; else the library's. */
function whatWasSaid(failure) {
  const body = failure.info?.responseBody; // ethers
  const rpc = failure.walk?.((cause) => cause.data !== undefined); // viem
  return body ?? (rpc ? `${rpc.details} ${JSON.stringify(rpc.data)}` : (failure.stack ?? String(failure)));
}

/** Runs reads with a fixed number in flight and keeps what went wrong. */
class Burst {
  failures = [];
  late = [];
  #reads;
  #done = 0;
  #slowestMs = 0;
  #waiting = [];
  #began = performance.now();
  #stalls = monitorEventLoopDelay({ resolution: 10 });

  constructor(reads) {
    this.#reads = reads;
    this.#stalls.enable();
  }

  async run(count, concurrency) {
    let next = 0;
    const worker = async () => {
      while (next < count) await this.#one(this.#reads[next++ % this.#reads.length]);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  /** Resolves once `count` reads are done. */
  reached(count) {
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  summary() {
    return `${this.#done} reads, ${this.failures.length} failed, ${this.late.length} late, slowest ${Math.round(this.#slowestMs)} ms, longest stall of this process ${Math.round(this.#stalls.max / 1e6)} ms`;
  }

  async #one({ name, deadlineMs, call, check }) {
    const start = performance.now();
    try {
      check(await call());
    } catch (failure) {
      const atMs = Math.round(performance.now() - this.#began);
      this.failures.push(`${name} at ${atMs} ms: ${whatWasSaid(failure)}`);
    }
    const tookMs = performance.now() - start;
    if (tookMs > deadlineMs + SLACK_MS + this.#stalls.max / 1e6) this.late.push(`${name} at ${Math.round(start - this.#began)} ms: took ${Math.round(tookMs)} ms`);
    this.#slowestMs = Math.max(this.#slowestMs, tookMs);
    this.#done++;
    this.#waiting = this.#waiting.filter(({ count, resolve }) => this.#done < count || resolve());
  }
}
