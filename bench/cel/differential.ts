// Compares values of expressions with those of two other engines: npx tsx --conditions=@ashlar/source
// bench/cel/differential.ts [expressions] [seed]
// Prints how often they agree, and the first differences: each is a bug of one of the engines.
import { toJson, type Value } from '@ashlar/cel';
import { celEnv, parse as parseBufbuild, plan as planBufbuild } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment as MarcbachmannEnvironment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import {
  bindings,
  environment,
  sensibleText,
} from '../../packages/cel/src/environment/expressions.fixture.ts';
import { withBigints } from './with-bigints.ts';

const SHOWN = 10;
const expressions = Number(process.argv[2] ?? 2000);
const seed = Number(process.argv[3] ?? 1);

const exact = withBigints(bindings) as Record<string, never>;

const bufbuildEnvironment = celEnv({ funcs: strings });
const marcbachmann = new MarcbachmannEnvironment({ unlistedVariablesAreDyn: true });

/** The value of another engine; undefined for an error or none. */
const peers: Readonly<Record<string, (text: string) => unknown>> = {
  '@bufbuild/cel': (text) => planBufbuild(bufbuildEnvironment, parseBufbuild(text))(exact),
  '@marcbachmann/cel-js': (text) => marcbachmann.evaluate(text, exact),
};

function ours(text: string): unknown {
  const compiled = environment.compile(text);
  const result = compiled.ok ? compiled.program.evaluate(bindings) : undefined;
  return result?.ok ? toJson(result.value as Value) : undefined;
}

function theirs(run: (text: string) => unknown, text: string): unknown {
  try {
    const value = run(text);
    return typeof value === 'boolean' ? value : undefined;
  } catch {
    return undefined;
  }
}

const texts = fc.sample(sensibleText, { numRuns: expressions, seed });
for (const [name, run] of Object.entries(peers)) {
  const compared = texts.map((text) => ({ text, a: ours(text), b: theirs(run, text) }));
  const both = compared.filter(({ a, b }) => a !== undefined && b !== undefined);
  const different = both.filter(({ a, b }) => a !== b);
  const onlyOurs = compared.filter(({ a, b }) => a !== undefined && b === undefined).length;
  const onlyTheirs = compared.filter(({ a, b }) => a === undefined && b !== undefined);
  console.log(
    `${name}: ${both.length} values of both, ${different.length} differ; ${onlyOurs} only of ours, ${onlyTheirs.length} only of theirs`,
  );
  for (const { text, a, b } of [...different, ...onlyTheirs].slice(0, SHOWN)) {
    console.log(`  ${text.slice(0, 300)}\n    ours ${a}, theirs ${b}`);
  }
}
