import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Decodes until its code is optimized, collects often enough that unused shapes are dropped, and lists what was discarded. */
const SCRIPT = `
  import { decodeYaml } from '@ashlar/codec';
  const documents = ['a: [b, {c: d}]\\n'.repeat(2000), '? a\\n'.repeat(5000), 'a: &a {b: c}\\nd: {<<: [' + '*a,'.repeat(3000) + ']}'];
  for (let round = 0; round < 12; round++) {
    for (const text of documents) decodeYaml(new TextEncoder().encode(text));
    gc();
  }
`;

it('keeps its optimized code when no document is decoded during a collection', () => {
  const trace = execFileSync(
    process.execPath,
    ['--expose-gc', '--trace-deopt', '--input-type=module', '-e', SCRIPT],
    { cwd: import.meta.dirname, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  const discarded = trace.split('\n').filter((line) => line.includes('weak objects'));
  expect(discarded.length).toBeLessThan(5);
});
