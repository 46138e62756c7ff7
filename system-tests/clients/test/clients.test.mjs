// Client libraries calling through Lasso: three providers that are one chain on three nodes.
import { after, before, describe } from 'node:test';
import { Scene } from '../harness.mjs';
import { ethersSuite } from '../suites/ethers.mjs';
import { viemSuite } from '../suites/viem.mjs';
import { web3Suite } from '../suites/web3.mjs';
import { wireSuite } from '../suites/wire.mjs';

describe('clients', () => {
  const scene = new Scene();
  before(() => scene.start({ providers: 3 }));
  after(() => scene.stop());

  wireSuite(scene);
  viemSuite(scene, { key: 0 });
  ethersSuite(scene, { key: 1 });
  web3Suite(scene, { key: 2 });
});
