import { readFileSync } from 'node:fs';
import type { JsonObject } from '@ashlar/core';

/** The recorded refusals in a file of `conformance/refusals`. */
export function recordedRefusals(
  file: string,
): readonly (JsonObject & { readonly causes: readonly string[] })[] {
  const text = readFileSync(new URL(`../../../../conformance/refusals/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject & { readonly causes: readonly string[] });
}

/** The recorded text as a pattern: what `…` stands for is not compared. */
export const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
