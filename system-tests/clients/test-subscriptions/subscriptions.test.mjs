// Subscriptions of four client libraries through Lasso while the chain reorganises and nodes die.
import { after, before, describe } from 'node:test';
import { DIRECT, Scene } from '../harness.mjs';
import { subscriptionSuite } from '../suites/subscriptions.mjs';

describe('subscriptions', () => {
  const scene = new Scene();
  before(() => scene.start({ providers: 3 }));
  after(() => scene.stop());

  subscriptionSuite(scene);
});

if (!DIRECT) {
  describe('subscriptions over providers without WebSocket', () => {
    const scene = new Scene();
    before(() => scene.start({ providers: 3, webSockets: false }));
    after(() => scene.stop());

    subscriptionSuite(scene, { httpOnly: true });
  });
}
