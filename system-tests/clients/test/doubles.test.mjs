// What the other suites stand on: the contract's artifact, the lockstep chain, the proxy's faults. No Lasso here.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { WebSocket } from 'ws';
import { ACCOUNTS, AnvilChain, CHAIN_ID, rpc } from '../anvil-chain.mjs';
import { compileDial, Dial } from '../contract/compile.mjs';
import { FaultProxy } from '../fault-proxy.mjs';

test('the committed artifact is what the pinned compiler makes of Dial.sol', () => {
  assert.deepEqual(compileDial(), Dial);
});

test('each test key belongs to its address', () => {
  for (const { address, privateKey } of ACCOUNTS) assert.equal(privateKeyToAccount(privateKey).address, address);
});

function transfer(from, nonce, value = 1n) {
  return privateKeyToAccount(ACCOUNTS[from].privateKey).signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce,
    to: ACCOUNTS[3].address,
    value,
    gas: 21_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
}

async function headsOf(chain) {
  return Promise.all(chain.alive.map((node) => node.call('eth_getBlockByNumber', 'latest', true)));
}

describe('the chain on three nodes', () => {
  let chain;
  before(async () => (chain = await AnvilChain.start(3)));
  after(() => chain.stop());

  test('mines equal blocks, with transactions given to different nodes in different orders', async () => {
    const [first, second, third] = await Promise.all([transfer(0, 0), transfer(1, 0), transfer(0, 1)]);
    await chain.nodes[0].call('eth_sendRawTransaction', first);
    await chain.nodes[2].call('eth_sendRawTransaction', second);
    await chain.nodes[1].call('eth_sendRawTransaction', second);
    await chain.nodes[1].call('eth_sendRawTransaction', first);
    await chain.nodes[1].call('eth_sendRawTransaction', third);
    await chain.mine();
    const heads = await headsOf(chain);
    assert.equal(new Set(heads.map((head) => head.hash)).size, 1);
    assert.equal(heads[0].transactions.length, 3);
  });

  test('a killed node comes back with the same history', async () => {
    await chain.kill(1);
    assert.equal(chain.alive.length, 2);
    await chain.sendEverywhere(await transfer(2, 0));
    await chain.mine(3);
    await chain.restart(1);
    const heads = await headsOf(chain);
    assert.equal(heads.length, 3);
    assert.equal(new Set(heads.map((head) => head.hash)).size, 1);
  });

  test('a reorg replaces blocks on every node, with and without their transactions', async () => {
    await chain.mine();
    const raw = await transfer(2, 1, 7n);
    const hash = await chain.sendEverywhere(raw);
    const old = await chain.mine();
    const kept = await chain.reorg(2);
    assert.equal(Number(kept.number), Number(old.number) + 1);
    const moved = await chain.nodes[0].call('eth_getTransactionByHash', hash);
    assert.equal(Number(moved.blockNumber), Number(old.number) - 1);
    await chain.reorg(3, { drop: true });
    assert.equal(await chain.nodes[2].call('eth_getTransactionByHash', hash), null);
  });
});

describe('the proxy before a node', () => {
  let chain;
  let proxy;
  before(async () => {
    chain = await AnvilChain.start(1);
    proxy = await FaultProxy.start(chain.nodes[0]);
  });
  after(async () => {
    await proxy.stop();
    await chain.stop();
  });
  const chainId = (options) => rpc(proxy.url, 'eth_chainId', [], options);

  test('passes, and counts by method', async () => {
    await proxy.become('pass');
    const before = proxy.answeredOf('eth_chainId');
    assert.equal(Number(await chainId()), CHAIN_ID);
    assert.equal(proxy.answeredOf('eth_chainId'), before + 1);
  });

  for (const [kind, symptom] of [
    ['hang', { name: 'TimeoutError' }],
    ['reset', { message: 'fetch failed' }],
    ['refuse', { message: 'fetch failed' }],
    ['unavailable', { name: 'SyntaxError' }],
    ['rateLimited', { code: -32005 }],
  ]) {
    test(`${kind}, then passes again`, async () => {
      await proxy.become(kind);
      await assert.rejects(chainId({ timeoutMs: 300 }), symptom);
      await proxy.become('pass');
      assert.equal(Number(await chainId()), CHAIN_ID);
    });
  }

  test('says when to come back after 429', async () => {
    await proxy.become('rateLimited', { retryAfterSeconds: 3 });
    const response = await fetch(proxy.url, { method: 'POST', body: '{}' });
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '3');
    await proxy.become('pass');
  });

  test('carries WebSockets, and ends them when it refuses', async () => {
    await proxy.become('pass');
    const socket = new WebSocket(proxy.wsUrl);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const answer = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(data))));
    socket.send('{"jsonrpc":"2.0","id":"ws","method":"eth_chainId","params":[]}');
    assert.deepEqual(await answer, { jsonrpc: '2.0', id: 'ws', result: `0x${CHAIN_ID.toString(16)}` });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await proxy.become('refuse');
    await closed;
    await proxy.become('pass');
  });
});
