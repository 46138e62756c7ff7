// Compiles Dial.sol with the pinned solc. `npm run compile` writes the result to Dial.json; a test compares it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const sourceFile = new URL('./Dial.sol', import.meta.url);
const artifactFile = new URL('./Dial.json', import.meta.url);

/** Compiles the source; returns {compiler, abi, bytecode}. Throws with the compiler's words if it does not compile. */
export function compileDial() {
  const input = {
    language: 'Solidity',
    sources: { 'Dial.sol': { content: readFileSync(sourceFile, 'utf8') } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { 'Dial.sol': { Dial: ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length) throw new Error(output.errors.map((e) => e.formattedMessage).join('\n'));
  const { abi, evm } = output.contracts['Dial.sol'].Dial;
  return { compiler: solc.version(), abi, bytecode: `0x${evm.bytecode.object}` };
}

/** The committed artifact. */
export const Dial = JSON.parse(readFileSync(artifactFile, 'utf8') || '{}');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(artifactFile, `${JSON.stringify(compileDial(), null, 2)}\n`);
}
