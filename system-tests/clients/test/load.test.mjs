// Reads from two client libraries at once while providers are killed, hang and rate-limit in turn.
import { after, before, describe } from 'node:test';
import { DIRECT, Scene } from '../harness.mjs';
import { loadSuite } from '../suites/load.mjs';

if (!DIRECT) {
  describe('load', () => {
    const scene = new Scene();
    before(() => scene.start({ providers: 3 }));
    after(() => scene.stop());

    loadSuite(scene);
  });
}
