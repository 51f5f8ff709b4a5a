import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './fuzz-target.ts';

const SEEDS = join(import.meta.dirname, 'seeds');
const FINDINGS = join(import.meta.dirname, 'findings');
/** Longer ones are omitted: they reach nothing that short ones do not. */
const MAXIMUM_BYTES = 400;
const MAXIMUM_INPUTS = 300;

/** Stored inputs of earlier runs: one per line, as a JSON string of bytes. */
export function storedInputs(target: string): readonly Uint8Array[] {
  const file = join(SEEDS, `${target}.txt`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => Uint8Array.from(Buffer.from(JSON.parse(line) as string, 'latin1')));
}

/** Stores the shortest inputs for later runs. */
export function keepInputs(target: string, inputs: readonly Uint8Array[]): void {
  const short = inputs.filter(({ length }) => length <= MAXIMUM_BYTES).sort((a, b) => a.length - b.length);
  const lines = new Set(short.map(lineOf));
  mkdirSync(SEEDS, { recursive: true });
  writeFileSync(join(SEEDS, `${target}.txt`), `${[...lines].slice(0, MAXIMUM_INPUTS).join('\n')}\n`);
}

/** Bytes beyond ASCII and controls are escaped, so that the file stays text. */
function lineOf(input: Uint8Array): string {
  const text = JSON.stringify(Buffer.from(input).toString('latin1'));
  return text.replaceAll(
    /[\x7f-\xff]/g,
    (letter) => `\\u00${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Writes a finding next to the others; returns the file. */
export function keepFinding({ target, kind, message, input }: Finding): string {
  const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const folder = join(FINDINGS, target);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${kind}-${name}.txt`);
  writeFileSync(file, `${message}\n${lineOf(input)}\n`);
  return file;
}

/** Inputs of stored findings: they are tried first, so that none regresses. */
export function storedFindings(target: string): readonly Uint8Array[] {
  const folder = join(FINDINGS, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    return Uint8Array.from(Buffer.from(JSON.parse(lines.at(-1) ?? '""') as string, 'latin1'));
  });
}
