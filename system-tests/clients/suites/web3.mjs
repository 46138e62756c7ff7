import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Web3 } from 'web3';
import { ACCOUNTS, CHAIN_ID } from '../anvil-chain.mjs';
import { Dial } from '../contract/compile.mjs';

/** web3.js v4 against the scene's endpoint. */
export function web3Suite(scene, { key }) {
  describe('web3.js', () => {
    const from = ACCOUNTS[key].address;
    let web3;
    let dial;

    before(async () => {
      web3 = new Web3(scene.http);
      web3.eth.accounts.wallet.add(ACCOUNTS[key].privateKey);
      web3.eth.transactionPollingInterval = 50;
      const undeployed = new web3.eth.Contract(Dial.abi);
      dial = await mined(undeployed.deploy({ data: Dial.bytecode }).send({ from }));
      dial.transactionPollingInterval = 50;
    });

    /** Mines as soon as the transaction is with a node; resolves to what web3.js makes of the receipt. */
    async function mined(sending) {
      sending.once('transactionHash', () => scene.chain.mine());
      return sending;
    }

    const failureOf = (call) =>
      call.then(
        () => assert.fail('did not fail'),
        (error) => error,
      );

    test('chain id', async () => {
      assert.equal(await web3.eth.getChainId(), BigInt(CHAIN_ID));
      assert.equal(await web3.eth.net.getId(), BigInt(CHAIN_ID));
    });

    test('blocks by number, hash and tag are the node’s', async () => {
      const latest = await web3.eth.getBlock('latest', true);
      const node = await scene.truth('eth_getBlockByNumber', `0x${latest.number.toString(16)}`, true);
      assert.equal(latest.hash, node.hash);
      assert.equal(latest.transactions.length, node.transactions.length);
      assert.deepEqual(await web3.eth.getBlock(node.hash, true), latest);
      assert.equal((await web3.eth.getBlock(1)).parentHash, (await web3.eth.getBlock('earliest')).hash);
      assert.equal(await web3.eth.getBlockNumber(), latest.number);
    });

    test('balances now and at a block', async () => {
      const { address } = ACCOUNTS[3];
      const before = await web3.eth.getBlockNumber();
      const then = await web3.eth.getBalance(address);
      await mined(web3.eth.sendTransaction({ from, to: address, value: 1_000_000n }));
      assert.equal(await web3.eth.getBalance(address), then + 1_000_000n);
      assert.equal(await web3.eth.getBalance(address, before), then);
    });

    test('a signed transaction, its receipt, and the call that sees it', async () => {
      const receipt = await mined(dial.methods.turnTo(12n).send({ from }));
      assert.equal(receipt.status, 1n);
      assert.equal(await dial.methods.position().call(), 12n);
      const transaction = await web3.eth.getTransaction(receipt.transactionHash);
      assert.equal(transaction.blockHash, receipt.blockHash);
      const node = await scene.truth('eth_getTransactionReceipt', receipt.transactionHash);
      assert.equal(receipt.gasUsed, BigInt(node.gasUsed));
    });

    test('logs, filtered by an indexed argument', async () => {
      const position = await dial.methods.position().call();
      const receipt = await mined(dial.methods.turnTo(33n).send({ from }));
      await mined(dial.methods.turnTo(34n).send({ from }));
      const logs = await dial.getPastEvents('Turned', { filter: { from: position }, fromBlock: receipt.blockNumber });
      assert.deepEqual(
        logs.map(({ returnValues }) => [returnValues.by, returnValues.from, returnValues.to]),
        [[from, position, 33n]],
      );
    });

    test('a revert with a text is decoded', async () => {
      const failure = await failureOf(dial.methods.turnBack().call({ from }));
      assert.match(`${failure.message} ${failure.cause?.message}`, /the dial only turns forward/);
    });

    test('a revert with a custom error is decoded', async () => {
      const failure = await failureOf(dial.methods.turnTo(1001n).call({ from }));
      assert.equal(failure.cause.errorName, 'BeyondLimit');
      assert.deepEqual(
        [failure.cause.errorArgs.by, failure.cause.errorArgs.wanted, failure.cause.errorArgs.limit],
        [from, 1001n, 1000n],
      );
    });

    test('gas is estimated', async () => {
      assert.ok((await dial.methods.turnTo(500n).estimateGas({ from })) > 21_000n);
      assert.ok((await web3.eth.getGasPrice()) > 0n);
    });

    test('a batch: every answer in its place', async () => {
      const batch = new web3.BatchRequest();
      const heights = ['0x0', '0x1', '0x2'];
      const blocks = heights.map((height) => batch.add({ method: 'eth_getBlockByNumber', params: [height, false] }));
      const answers = await batch.execute();
      assert.equal(answers.length, heights.length);
      assert.deepEqual((await Promise.all(blocks)).map((block) => block.number), heights);
    });
  });
}
