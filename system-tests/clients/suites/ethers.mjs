import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Contract, ContractFactory, FetchRequest, JsonRpcProvider, Network, parseEther, Wallet } from 'ethers';
import { ACCOUNTS, CHAIN_ID } from '../anvil-chain.mjs';
import { Dial } from '../contract/compile.mjs';

/** An ethers provider without ethers' own retries on 429; `batch` calls at most go into one HTTP request. */
export function ethersProvider(url, { batch = 1 } = {}) {
  const request = new FetchRequest(url);
  request.setThrottleParams({ maxAttempts: 1 });
  const network = Network.from(CHAIN_ID);
  return new JsonRpcProvider(request, network, { staticNetwork: network, batchMaxCount: batch, pollingInterval: 50, cacheTimeout: -1 });
}

/** ethers v6 against the scene's endpoint. */
export function ethersSuite(scene, { key }) {
  describe('ethers', () => {
    let provider;
    let batching;
    let wallet;
    let dial;

    before(async () => {
      provider = ethersProvider(scene.http);
      batching = ethersProvider(scene.http, { batch: 50 });
      wallet = new Wallet(ACCOUNTS[key].privateKey, provider);
      const contract = await new ContractFactory(Dial.abi, Dial.bytecode, wallet).deploy();
      await mined(contract.deploymentTransaction());
      dial = new Contract(await contract.getAddress(), Dial.abi, wallet);
    });

    after(() => {
      provider.destroy();
      batching.destroy();
    });

    async function mined(transaction) {
      await scene.chain.mine();
      return transaction.wait(1, 10_000);
    }

    test('chain id, asked of the endpoint', async () => {
      assert.equal(BigInt(await provider.send('eth_chainId', [])), BigInt(CHAIN_ID));
      const detecting = new JsonRpcProvider(scene.http);
      assert.equal((await detecting.getNetwork()).chainId, BigInt(CHAIN_ID));
      detecting.destroy();
    });

    test('blocks by number, hash and tag are the node’s', async () => {
      const latest = await provider.getBlock('latest', true);
      const node = await scene.truth('eth_getBlockByNumber', `0x${latest.number.toString(16)}`, true);
      assert.equal(latest.hash, node.hash);
      assert.equal(latest.prefetchedTransactions.length, node.transactions.length);
      assert.equal((await provider.getBlock(node.hash)).number, latest.number);
      assert.equal((await provider.getBlock(1)).parentHash, (await provider.getBlock('earliest')).hash);
      assert.equal(await provider.getBlockNumber(), latest.number);
      assert.equal(await provider.getBlock(latest.number + 1_000_000), null);
    });

    test('balances now and at a block', async () => {
      const { address } = ACCOUNTS[3];
      const before = await provider.getBlockNumber();
      const then = await provider.getBalance(address);
      await mined(await wallet.sendTransaction({ to: address, value: parseEther('0.25') }));
      assert.equal(await provider.getBalance(address), then + parseEther('0.25'));
      assert.equal(await provider.getBalance(address, before), then);
    });

    test('a signed transaction, its receipt, and the call that sees it', async () => {
      const receipt = await mined(await dial.turnTo(12n));
      assert.equal(receipt.status, 1);
      assert.equal(receipt.from, wallet.address);
      assert.equal(await dial.position(), 12n);
      const transaction = await provider.getTransaction(receipt.hash);
      assert.equal(transaction.blockHash, receipt.blockHash);
      const node = await scene.truth('eth_getTransactionReceipt', receipt.hash);
      assert.equal(receipt.gasUsed, BigInt(node.gasUsed));
    });

    test('logs, filtered by an indexed argument', async () => {
      const from = await dial.position();
      const receipt = await mined(await dial.turnTo(33n));
      await mined(await dial.turnTo(34n));
      const logs = await dial.queryFilter(dial.filters.Turned(null, from), receipt.blockNumber, 'latest');
      assert.deepEqual(
        logs.map((log) => log.args.toObject()),
        [{ by: wallet.address, from, to: 33n }],
      );
      const inBlock = await provider.getLogs({ address: await dial.getAddress(), blockHash: receipt.blockHash });
      assert.equal(inBlock.length, 1);
      assert.equal(inBlock[0].transactionHash, receipt.hash);
    });

    test('a revert with a text is decoded', async () => {
      await assert.rejects(dial.turnBack(), { code: 'CALL_EXCEPTION', reason: 'the dial only turns forward' });
    });

    test('a revert with a custom error is decoded', async () => {
      await assert.rejects(dial.turnTo.staticCall(1001n), ({ code, revert }) => {
        assert.equal(code, 'CALL_EXCEPTION');
        assert.equal(revert.name, 'BeyondLimit');
        assert.deepEqual(revert.args.toArray(), [wallet.address, 1001n, 1000n]);
        return true;
      });
    });

    test('gas is estimated, and a revert while estimating is decoded', async () => {
      assert.ok((await dial.turnTo.estimateGas(500n)) > 21_000n);
      await assert.rejects(dial.turnTo.estimateGas(5000n), ({ data }) => dial.interface.parseError(data).name === 'BeyondLimit');
      const fees = await provider.getFeeData();
      assert.ok(fees.maxFeePerGas >= fees.maxPriorityFeePerGas);
    });

    test('a batch: one HTTP request, every answer in its place, an error only in its own', async () => {
      const payloads = [];
      batching.on('debug', (event) => event.action === 'sendRpcPayload' && payloads.push(event.payload));
      const heights = Array.from({ length: 4 }, (_, i) => i);
      const [blocks, failure] = await Promise.all([
        Promise.all(heights.map((height) => batching.getBlock(height))),
        dial.connect(batching).turnBack().catch((error) => error),
      ]);
      assert.equal(payloads.length, 1);
      assert.equal(payloads[0].length, 5);
      assert.deepEqual(blocks.map((block) => block.number), heights);
      for (const block of blocks.slice(1)) assert.equal(block.parentHash, blocks[block.number - 1].hash);
      assert.equal(failure.reason, 'the dial only turns forward');
    });
  });
}
