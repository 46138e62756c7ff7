// The scene as a process, for tests in other languages. Says `scene ready http=… ws=…` on stdout, then obeys lines on
// stdin: `mine N` mines N blocks on every node and says `mined`. The end of stdin stops everything.
import { createInterface } from 'node:readline';
import { Scene } from './harness.mjs';

const scene = new Scene();
try {
  await scene.start({ providers: 3 });
  console.log(`scene ready http=${scene.http} ws=${scene.ws}`);
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, count] = line.split(' ');
    if (verb !== 'mine') throw new Error(`no such command: ${line}`);
    await scene.chain.mine(Number(count));
    console.log('mined');
  }
} finally {
  await scene.stop();
}
