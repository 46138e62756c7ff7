import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHAIN_ID } from '../anvil-chain.mjs';
import { DIRECT } from '../harness.mjs';

/** What client libraries rely on below their API: ids come back with their exact text, batches keep their order. */
export function wireSuite(scene) {
  describe('the wire', () => {
    const CHAIN_ID_HEX = `"0x${CHAIN_ID.toString(16)}"`;
    // beyond 2^53 JavaScript loses digits, beyond 2^64 the node itself refuses: only Lasso has to keep those
    const ids = ['1', '0', '"a"', '""', '"0x2a"', '9007199254740993'];
    if (!DIRECT) ids.push('123456789012345678901234567890', '1.50', '-7', '"\\u00e9\\""');

    async function post(body) {
      const response = await fetch(scene.http, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return { status: response.status, text: await response.text() };
    }

    for (const id of ids) {
      test(`id ${id}`, async () => {
        const { status, text } = await post(`{"jsonrpc":"2.0","id":${id},"method":"eth_chainId","params":[]}`);
        assert.equal(status, 200);
        assert.ok(text.includes(`"id":${id}`), text);
        assert.ok(text.includes(`"result":${CHAIN_ID_HEX}`), text);
      });
    }

    test('a batch keeps order and ids, and a bad item spoils only itself', async () => {
      const block = (id, height) =>
        `{"jsonrpc":"2.0","id":${id},"method":"eth_getBlockByNumber","params":["${height}",false]}`;
      const { status, text } = await post(
        `[${block('"z"', '0x2')},{"jsonrpc":"2.0","id":7,"method":"no_suchMethod","params":[]},${block(9007199254740993n, '0x0')}]`,
      );
      assert.equal(status, 200);
      const answers = JSON.parse(text);
      assert.deepEqual([answers[0].result?.number, answers[2].result?.number], ['0x2', '0x0'], text);
      // what anvil says of a method that it does not know: the first over HTTP, the second over WebSocket
      assert.ok([-32601, -32602].includes(answers[1].error?.code), text);
      assert.equal(answers[0].id, 'z');
      assert.ok(text.includes('"id":9007199254740993'), text);
    });

    if (!DIRECT) {
      for (const method of ['eth_sendTransaction', 'eth_accounts', 'personal_sign', 'anvil_mine', 'evm_mine', 'ADMIN_peers']) {
        test(`${method} never reaches a node`, async () => {
          const received = () => scene.proxies.reduce((sum, proxy) => sum + (proxy.received.get(method) ?? 0), 0);
          const { text } = await post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`);
          assert.equal(JSON.parse(text).error.code, -32601);
          assert.equal(received(), 0);
        });
      }
    }
  });
}
