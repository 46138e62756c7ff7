import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseAbiItem,
  parseEther,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ACCOUNTS, CHAIN_ID } from '../anvil-chain.mjs';
import { Dial } from '../contract/compile.mjs';

/** viem against the scene's endpoint, with viem's own retries off. */
export function viemSuite(scene, { key }) {
  describe('viem', () => {
    const account = privateKeyToAccount(ACCOUNTS[key].privateKey);
    const bodies = [];
    let client;
    let batching;
    let wallet;
    let dial;

    before(async () => {
      const chain = defineChain({
        id: CHAIN_ID,
        name: 'Anvil',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [scene.http] } },
      });
      const options = { chain, pollingInterval: 50, cacheTime: 0 };
      client = createPublicClient({ ...options, transport: http(scene.http, { retryCount: 0 }) });
      batching = createPublicClient({
        ...options,
        transport: http(scene.http, {
          retryCount: 0,
          batch: { wait: 5 },
          onFetchRequest: async (request) => void bodies.push(await request.clone().json()),
        }),
      });
      wallet = createWalletClient({ ...options, account, transport: http(scene.http, { retryCount: 0 }) });
      const receipt = await mined(await wallet.deployContract({ abi: Dial.abi, bytecode: Dial.bytecode }));
      dial = receipt.contractAddress;
    });

    async function mined(hash) {
      await scene.chain.mine();
      return client.waitForTransactionReceipt({ hash });
    }

    const turnTo = async (position) =>
      mined(
        await wallet.writeContract({ address: dial, abi: Dial.abi, functionName: 'turnTo', args: [position] }),
      );

    const read = (functionName, args = []) => client.readContract({ address: dial, abi: Dial.abi, functionName, args });

    /** Runs a call that must revert; returns viem's decoded error. */
    async function revertOf(call) {
      const failure = await call.then(
        () => assert.fail('did not revert'),
        (error) => error,
      );
      assert.ok(failure instanceof BaseError, failure);
      return failure.walk((cause) => cause instanceof ContractFunctionRevertedError);
    }

    test('chain id', async () => assert.equal(await client.getChainId(), CHAIN_ID));

    test('blocks by number, hash and tag are the node’s', async () => {
      const latest = await client.getBlock({ blockTag: 'latest', includeTransactions: true });
      const node = await scene.truth('eth_getBlockByNumber', `0x${latest.number.toString(16)}`, true);
      assert.equal(latest.hash, node.hash);
      assert.equal(latest.transactions.length, node.transactions.length);
      assert.deepEqual(await client.getBlock({ blockHash: node.hash, includeTransactions: true }), latest);
      assert.equal((await client.getBlock({ blockTag: 'earliest' })).number, 0n);
      assert.equal((await client.getBlock({ blockNumber: 1n })).parentHash, (await client.getBlock({ blockNumber: 0n })).hash);
      assert.equal(await client.getBlockNumber(), latest.number);
      await assert.rejects(client.getBlock({ blockNumber: latest.number + 1_000_000n }), { name: 'BlockNotFoundError' });
    });

    test('balances now and at a block', async () => {
      const { address } = ACCOUNTS[3];
      const before = await client.getBlockNumber();
      const then = await client.getBalance({ address });
      await mined(await wallet.sendTransaction({ to: address, value: parseEther('1.5') }));
      assert.equal(await client.getBalance({ address }), then + parseEther('1.5'));
      assert.equal(await client.getBalance({ address, blockNumber: before }), then);
    });

    test('a signed transaction, its receipt, and the call that sees it', async () => {
      const receipt = await turnTo(12n);
      assert.equal(receipt.status, 'success');
      assert.equal(receipt.from, account.address.toLowerCase());
      assert.equal(await read('position'), 12n);
      const transaction = await client.getTransaction({ hash: receipt.transactionHash });
      assert.equal(transaction.blockHash, receipt.blockHash);
      const node = await scene.truth('eth_getTransactionReceipt', receipt.transactionHash);
      assert.equal(receipt.gasUsed, BigInt(node.gasUsed));
    });

    test('logs, filtered by an indexed argument', async () => {
      const from = await read('position');
      const { blockNumber, blockHash } = await turnTo(33n);
      await turnTo(34n);
      const event = parseAbiItem('event Turned(address indexed by, uint256 indexed from, uint256 to)');
      const logs = await client.getLogs({ address: dial, event, args: { from }, fromBlock: blockNumber, toBlock: 'latest' });
      assert.deepEqual(
        logs.map((log) => log.args),
        [{ by: account.address, from, to: 33n }],
      );
      const inBlock = await client.getLogs({ address: dial, blockHash });
      assert.equal(inBlock.length, 1);
      assert.equal(inBlock[0].blockHash, blockHash);
    });

    test('a revert with a text is decoded', async () => {
      const revert = await revertOf(read('turnBack'));
      assert.equal(revert.reason, 'the dial only turns forward');
    });

    test('a revert with a custom error is decoded', async () => {
      const simulated = client.simulateContract({
        account,
        address: dial,
        abi: Dial.abi,
        functionName: 'turnTo',
        args: [1001n],
      });
      const revert = await revertOf(simulated);
      assert.equal(revert.data.errorName, 'BeyondLimit');
      assert.deepEqual(revert.data.args, [account.address, 1001n, 1000n]);
    });

    test('gas is estimated, and a revert while estimating is decoded', async () => {
      const call = { account, address: dial, abi: Dial.abi, functionName: 'turnTo' };
      assert.ok((await client.estimateContractGas({ ...call, args: [500n] })) > 21_000n);
      const revert = await revertOf(client.estimateContractGas({ ...call, args: [5000n] }));
      assert.equal(revert.data.errorName, 'BeyondLimit');
      const fees = await client.estimateFeesPerGas();
      assert.ok(fees.maxFeePerGas >= fees.maxPriorityFeePerGas);
    });

    test('a batch: one HTTP request, every answer in its place, an error only in its own', async () => {
      bodies.length = 0;
      const [number, chainId, balance, block, revert] = await Promise.all([
        batching.getBlockNumber(),
        batching.getChainId(),
        batching.getBalance({ address: account.address }),
        batching.getBlock({ blockNumber: 1n }),
        revertOf(batching.readContract({ address: dial, abi: Dial.abi, functionName: 'turnBack' })),
      ]);
      assert.equal(bodies.length, 1);
      assert.equal(bodies[0].length, 5);
      assert.equal(chainId, CHAIN_ID);
      assert.ok(number > 1n);
      assert.equal(balance, await client.getBalance({ address: account.address }));
      assert.equal(block.hash, (await scene.truth('eth_getBlockByNumber', '0x1', false)).hash);
      assert.equal(revert.reason, 'the dial only turns forward');
    });
  });
}
