// npm run conformance -- [SUITE] [--data DIR] [--show N]: compares the project with recorded responses.
// Without SUITE all run and a table is printed. The last line is "N passed, M failed"; exit 0 only if M is 0.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CaseResult, Suite } from './suite.ts';

const here = dirname(fileURLToPath(import.meta.url));

interface Tally {
  passed: number;
  failed: number;
  skipped: Map<string, number>;
  failures: CaseResult[];
}

async function loadSuites(): Promise<Map<string, Suite[]>> {
  const suites = new Map<string, Suite[]>();
  for (const file of readdirSync(join(here, 'suites')).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const { suite } = (await import(join(here, 'suites', file))) as { suite?: Suite };
    if (!suite) throw new Error(`conformance/suites/${file} exports no suite`);
    suites.set(suite.name, [...(suites.get(suite.name) ?? []), suite]);
  }
  return suites;
}

async function runCase(parts: readonly Suite[], data: string): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: new Map(), failures: [] };
  for (const part of parts) for await (const result of part.run(data)) count(tally, result);
  return tally;
}

function count(tally: Tally, result: CaseResult): void {
  if (result.outcome === 'skipped')
    tally.skipped.set(result.reason, (tally.skipped.get(result.reason) ?? 0) + 1);
  else tally[result.outcome]++;
  if (result.outcome === 'failed') tally.failures.push(result);
}

function print(name: string, tally: Tally, show: number): void {
  for (const failure of tally.failures.slice(0, show)) {
    console.log(`failed: ${failure.id}`);
    if (failure.outcome !== 'failed') continue;
    for (const part of ['input', 'expected', 'actual'] as const)
      console.log(`  ${part}: ${text(failure[part])}`);
  }
  const skipped = [...tally.skipped.values()].reduce((sum, n) => sum + n, 0);
  console.log(
    `${name.padEnd(20)} ${String(tally.passed).padStart(6)} passed ${String(tally.failed).padStart(6)} failed ${String(skipped).padStart(6)} skipped`,
  );
  for (const [reason, n] of tally.skipped) console.log(`    skipped ${n}: ${reason}`);
}

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)) ?? 'undefined');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string', default: here }, show: { type: 'string', default: '0' } },
});
const suites = await loadSuites();
const chosen = positionals.length > 0 ? positionals : [...suites.keys()].sort();
let passed = 0;
let failed = 0;
for (const name of chosen) {
  const parts = suites.get(name);
  if (!parts) {
    console.error(`conformance: no suite ${name}; there are ${[...suites.keys()].sort().join(', ')}`);
    process.exit(2);
  }
  const tally = await runCase(parts, values.data);
  print(name, tally, Number(values.show));
  passed += tally.passed;
  failed += tally.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
