import { readFileSync } from 'node:fs';

/** The page that the build generates from the gateway's own table of methods. */
const PAGE = new URL('../../../docs/methods.md', import.meta.url);

const DEADLINES_MS = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \|.*\| (\d+) s \|[^|]*\|$/gm)].map(([, method, seconds]) => [method, seconds * 1000]),
);

/** What the gateway may take for a method, all its attempts together, in ms. */
export function deadlineMsOf(method) {
  const deadlineMs = DEADLINES_MS.get(method);
  if (!deadlineMs) throw new Error(`no deadline of ${method} in ${PAGE.pathname}`);
  return deadlineMs;
}
