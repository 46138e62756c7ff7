import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { afterEach, before, beforeEach, test } from 'node:test';
import { encodeDeployData, encodeFunctionData, getContractAddress, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ACCOUNTS, CHAIN_ID } from '../anvil-chain.mjs';
import { Dial } from '../contract/compile.mjs';
import { DIRECT } from '../harness.mjs';
import { bareListener, ethersListener, until, viemListener, web3Listener } from './listeners.mjs';

/** Environment: SUBSCRIPTION_KILLS, how often a node dies. */
const KILLS = Number(process.env.SUBSCRIPTION_KILLS ?? 10);

const KINDS = [bareListener, viemListener, ethersListener, web3Listener];

/** Writes the chain and keeps what every subscriber must have been told about it. */
class Scribe {
  blocks = [];
  logs = [];
  pending = [];
  #scene;
  #account = privateKeyToAccount(ACCOUNTS[0].privateKey);
  #nonce = 0;
  #position = 0n;
  #branch = [];

  constructor(scene) {
    this.#scene = scene;
  }

  async deploy() {
    await this.#send({ data: encodeDeployData({ abi: Dial.abi, bytecode: Dial.bytecode }) });
    this.dial = getContractAddress({ from: this.#account.address, nonce: 0n });
    await this.#scene.chain.mine();
  }

  /** From now on subscribers listen. */
  async begin() {
    this.blocks = [];
    this.logs = [];
    this.pending = [];
    this.#branch = [];
  }

  /** A block with two events. */
  async turnTwice() {
    await this.#turn();
    await this.#turn();
    await this.mine();
  }

  async mine() {
    await this.#added(await this.#scene.chain.mine());
  }

  /** Replaces the newest `depth` blocks by `depth + 1` others. */
  async reorg(depth) {
    await this.#scene.chain.reorg(depth);
    const removed = this.#branch.splice(this.#branch.length - depth, depth).reverse();
    for (const block of removed) this.logs.push(...block.logs.map((log) => `-${log}`).reverse());
    const first = removed.at(-1).number;
    for (let number = first; number <= first + depth; number++) {
      await this.#added(await this.#scene.truth('eth_getBlockByNumber', `0x${number.toString(16)}`, false));
    }
  }

  async #added({ number, hash }) {
    const logs = await this.#scene.truth('eth_getLogs', { blockHash: hash, address: this.dial });
    const block = { number: Number(number), hash, logs: logs.map((log) => `${hash}/${Number(log.logIndex)}`) };
    this.#branch.push(block);
    this.blocks.push(block);
    this.logs.push(...block.logs.map((log) => `+${log}`));
  }

  async #turn() {
    this.#position = (this.#position + 1n) % 1000n;
    await this.#send({
      to: this.dial,
      data: encodeFunctionData({ abi: Dial.abi, functionName: 'turnTo', args: [this.#position] }),
    });
  }

  async #send(transaction) {
    const raw = await this.#account.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce: this.#nonce++,
      gas: 1_000_000n,
      maxFeePerGas: 50_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      ...transaction,
    });
    this.pending.push(keccak256(raw));
    await this.#scene.chain.sendEverywhere(raw);
  }
}

/**
 * Subscribers through four client libraries against one history. `httpOnly`: the providers have no WebSocket, so there
 * are no pending transactions.
 */
export function subscriptionSuite(scene, { httpOnly = false } = {}) {
  const scribe = new Scribe(scene);
  let listeners = [];

  before(() => scribe.deploy());

  beforeEach(async () => {
    await scribe.begin();
    listeners = await Promise.all(KINDS.map((listen) => listen(scene.ws, scribe.dial)));
  });

  afterEach(() => Promise.all(listeners.map((listener) => listener.close())));

  /**
   * Every listener has been told of everything exactly once, in order. `reannounced`: a transaction that a reorg put
   * back among the pending ones may be told again. `after` says when, for a failure's message.
   */
  async function allToldExactly({ reannounced = false, after: when = '' } = {}) {
    const sorted = (values) => [...values].sort();
    for (const listener of listeners) {
      const blocks = scribe.blocks.map((block) => block[listener.blocksAs]);
      const logs = scribe.logs.filter((log) => listener.removals || log.startsWith('+'));
      const pending = httpOnly ? [] : scribe.pending;
      const counts = () =>
        `${when} ${listener.name} has ${listener.blocks.length} of ${blocks.length} blocks, ${listener.logs.length} of ${logs.length} logs, ${listener.pending.length} of ${pending.length} pending; ${listener.errors}`;
      await until(
        () =>
          listener.blocks.length >= blocks.length &&
          listener.logs.length >= logs.length &&
          listener.pending.length >= pending.length,
        { describe: counts },
      );
      const name = `${listener.name} ${when}`;
      const inOrder = (values) => (listener.ordered ? values : sorted(values));
      assert.deepEqual(inOrder(listener.blocks), inOrder(blocks), `${name}: blocks`);
      assert.deepEqual(listener.logs, logs, `${name}: logs`);
      const announced = reannounced ? [...new Set(listener.pending)] : listener.pending;
      assert.deepEqual(sorted(announced), sorted(pending), `${name}: pending transactions`);
      assert.deepEqual(listener.errors, [], `${name}: errors`);
    }
  }

  test('every block, log and pending transaction once', async () => {
    for (let i = 0; i < 8; i++) {
      await scribe.turnTwice();
      await scribe.mine();
    }
    await allToldExactly();
  });

  test('after unsubscribing nothing comes', async () => {
    await scribe.turnTwice();
    await allToldExactly();
    const [bare] = listeners;
    await bare.close();
    assert.deepEqual(bare.unsubscribed, [true, true, true]);
    const told = bare.blocks.length;
    listeners.shift();
    await scribe.mine();
    await allToldExactly();
    assert.equal(bare.blocks.length, told);
  });

  if (DIRECT) return;

  test('reorgs: removed logs are taken back, the new branch is told', async () => {
    for (const depth of [1, 3, 2]) {
      await scribe.turnTwice();
      await scribe.mine();
      await scribe.turnTwice();
      await allToldExactly({ reannounced: true });
      await scribe.reorg(depth);
      await allToldExactly({ reannounced: true });
    }
  });

  test(`a node dies mid-way, ${KILLS} times`, async (context) => {
    for (let i = 0; i < KILLS; i++) {
      const victim = i % scene.chain.nodes.length;
      const fault = i % 2 ? 'hang' : 'refuse';
      await scribe.turnTwice();
      await scene.proxies[victim].become(fault);
      await scene.chain.kill(victim);
      await scribe.turnTwice();
      await scribe.mine();
      await allToldExactly({ after: `death ${i + 1} of ${KILLS}, node ${victim}, ${fault}` });
      await scene.chain.restart(victim);
      await scene.proxies[victim].become('pass');
      const back = performance.now();
      await scene.allServing();
      context.diagnostic(`death ${i + 1}, node ${victim}, ${fault}: serving again after ${Math.round(performance.now() - back)} ms`);
    }
    await scribe.turnTwice();
    await allToldExactly();
  });
}
