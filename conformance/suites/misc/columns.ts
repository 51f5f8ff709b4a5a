import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJson } from '@ashlar/codec';
import type { JsonValue } from '@ashlar/core';
import { compileColumnCell, compileJsonPath, JsonPathError } from '@ashlar/schema';
import type { Suite } from '../../suite.ts';
import { type CaseRunner, runOracles } from '../../text-core/run-oracles.ts';

/** A time after all those of the cases. */
const NOW = Date.UTC(2030, 0, 1);

/** The object that the cases share, with the spelling of its integers. */
function columnObject(dataDirectory: string): JsonValue {
  const folder = join(dataDirectory, 'oracles');
  for (const file of readdirSync(folder).filter((name) => /^misc.*\.jsonl$/.test(name))) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const line = lines.find((each) => each.includes('"suite":"column-object"'));
    if (line) return (decodeJson(new TextEncoder().encode(line)).value as { object: JsonValue }).object;
  }
  throw new Error('there is no object for the columns');
}

const checksOf = (object: JsonValue): Readonly<Record<string, CaseRunner>> => ({
  column: {
    inputs: ['path', 'type'],
    answer: ({ path, type }) =>
      orText('error', () => {
        const cell = compileColumnCell(type, path)(object, NOW);
        const isAge = type === 'date' && typeof cell === 'string' && /^\d+[smhdy]/.test(cell);
        return { cell: isAge ? { $age: true } : typeof cell === 'bigint' ? Number(cell) : cell };
      }),
  },
  template: {
    inputs: ['template'],
    answer: ({ template }) =>
      orText('parseError', () => {
        const compiled = compileJsonPath(template, { allowMissing: true });
        return orText('error', () => ({ print: compiled.print(object) }));
      }),
  },
});

function orText(name: string, answer: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return answer();
  } catch (error) {
    if (JsonPathError.is(error)) return { [name]: error.message };
    throw error;
  }
}

/** Printer columns and templates of JSONPath. */
export const suite: Suite = {
  name: 'oracles/misc',
  run: (dataDirectory) => runOracles(dataDirectory, 'misc', checksOf(columnObject(dataDirectory))),
};
