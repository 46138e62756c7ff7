// Subscribers of four kinds, each keeping what it was told. `blocks` are hashes where the library hands them out, else
// numbers; `logs` are "+hash/index" for a log and "-hash/index" for its removal; `pending` are transaction hashes.
import { Network, WebSocketProvider } from 'ethers';
import { createPublicClient, webSocket } from 'viem';
import { Web3, WebSocketProvider as Web3SocketProvider } from 'web3';
import { WebSocket } from 'ws';
import { CHAIN_ID } from '../anvil-chain.mjs';

class Listener {
  blocks = [];
  logs = [];
  pending = [];
  errors = [];

  /**
   * `blocksAs`: how `blocks` names them, 'hash' or 'number'. `ordered`: whether the library keeps the order of blocks.
   * `removals`: whether it tells of removed logs.
   */
  constructor(name, { blocksAs = 'hash', ordered = true, removals = true } = {}) {
    Object.assign(this, { name, blocksAs, ordered, removals });
  }

  log({ removed, blockHash, logIndex }) {
    this.logs.push(`${removed ? '-' : '+'}${blockHash}/${Number(logIndex)}`);
  }
}

/** Bare JSON-RPC on the socket: no library between the stream and the test. */
export async function bareListener(url, address) {
  const listener = new Listener('bare JSON-RPC');
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const handlers = new Map();
  const answers = new Map();
  socket.on('message', (data) => {
    const message = JSON.parse(data);
    if (message.method === 'eth_subscription') {
      const handler = handlers.get(message.params.subscription);
      if (handler) handler(message.params.result);
      else listener.errors.push(`event before its subscription was acknowledged: ${data}`);
    } else if (message.error) listener.errors.push(message.error.message);
    else answers.get(message.id)(message.result);
  });
  socket.on('close', (code, reason) => listener.closing || listener.errors.push(`closed ${code} ${reason}`));
  let calls = 0;
  const call = (method, params, onResult) =>
    new Promise((resolve) => {
      const id = ++calls;
      answers.set(id, (result) => {
        onResult?.(result);
        resolve(result);
      });
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  const subscribe = (params, handler) => call('eth_subscribe', params, (id) => handlers.set(id, handler));
  const ids = await Promise.all([
    subscribe(['newHeads'], (head) => listener.blocks.push(head.hash)),
    subscribe(['logs', { address }], (log) => listener.log(log)),
    subscribe(['newPendingTransactions'], (hash) => listener.pending.push(hash)),
  ]);
  listener.close = async () => {
    listener.closing = true;
    listener.unsubscribed = await Promise.all(ids.map((id) => call('eth_unsubscribe', [id])));
    socket.close();
  };
  return listener;
}

/** viem: watchBlocks, watchEvent, watchPendingTransactions. watchBlocks reads each block again, so answers may overtake. */
export async function viemListener(url, address) {
  const listener = new Listener('viem', { blocksAs: 'number', ordered: false });
  const client = createPublicClient({ transport: webSocket(url, { retryCount: 0 }), cacheTime: 0 });
  const onError = (error) => listener.closing || listener.errors.push(error.message);
  const unwatch = [
    client.watchBlocks({ onBlock: (block) => listener.blocks.push(Number(block.number)), onError }),
    client.watchEvent({ address, onLogs: (logs) => logs.forEach((log) => listener.log(log)), onError }),
    client.watchPendingTransactions({ onTransactions: (hashes) => listener.pending.push(...hashes), onError }),
  ];
  const { subscriptions } = await client.transport.getRpcClient();
  await until(() => subscriptions.size >= unwatch.length);
  listener.close = async () => {
    listener.closing = true;
    unwatch.forEach((stop) => stop());
    (await client.transport.getRpcClient()).close();
  };
  return listener;
}

/** ethers: WebSocketProvider. It hands out block numbers, and keeps removals for listeners of that one log. */
export async function ethersListener(url, address) {
  const listener = new Listener('ethers', { blocksAs: 'number', removals: false });
  const network = Network.from(CHAIN_ID);
  const provider = new WebSocketProvider(url, network, { staticNetwork: network });
  await provider.on('block', (number) => listener.blocks.push(number));
  await provider.on({ address }, (log) => listener.log({ ...log, logIndex: log.index, blockHash: log.blockHash, removed: log.removed }));
  await provider.on('pending', (hash) => listener.pending.push(hash));
  // ethers subscribes in the background; calls on one socket are answered after the subscriptions sent before them
  await provider.send('eth_chainId', []);
  await provider.send('eth_chainId', []);
  listener.close = () => provider.destroy();
  return listener;
}

/** web3.js: newHeads, logs and pendingTransactions. */
export async function web3Listener(url, address) {
  const listener = new Listener('web3.js');
  const socket = new Web3SocketProvider(url, {}, { autoReconnect: false });
  const web3 = new Web3(socket);
  const heads = await web3.eth.subscribe('newHeads');
  heads.on('data', (head) => listener.blocks.push(head.hash));
  const logs = await web3.eth.subscribe('logs', { address });
  for (const event of ['data', 'changed']) logs.on(event, (log) => listener.log(log));
  const pending = await web3.eth.subscribe('pendingTransactions');
  pending.on('data', (hash) => listener.pending.push(hash));
  for (const subscription of [heads, logs, pending]) {
    subscription.on('error', (error) => listener.closing || listener.errors.push(error.message));
  }
  listener.close = async () => {
    listener.closing = true;
    socket.disconnect();
  };
  return listener;
}

/** Waits until `condition` holds; throws what `describe` says if it does not within `withinMs`. */
export async function until(condition, { withinMs = 45_000, describe = () => String(condition) } = {}) {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
