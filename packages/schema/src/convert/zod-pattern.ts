import { RE2JS } from 're2js';
import type { $ZodType } from 'zod/v4/core';
import { formatCheck } from '../formats/string-formats.ts';

/** String keywords that zod writes; of several patterns each is a part of `allOf`. */
interface PatternedJson {
  format?: string;
  pattern?: string;
  allOf?: PatternedJson[];
}

const LOOK_AROUND = /\(\?<?[=!]/;

/**
 * Rewrites the patterns that zod wrote from JavaScript's syntax to RE2's, with the flags that zod leaves out: `/é/i` becomes
 * `(?i)é`. Where zod checks a format with lookaround, only the format is checked.
 */
export function rewritePatterns(type: $ZodType, json: PatternedJson): void {
  const bySource = new Map(patternsOf(type).map((pattern) => [pattern.source, pattern]));
  for (const part of [json, ...(json.allOf ?? [])]) {
    if (part.pattern === undefined) continue;
    const isTold = json.format !== undefined && formatCheck(json.format) !== undefined;
    if (isTold && LOOK_AROUND.test(part.pattern)) delete part.pattern;
    else part.pattern = RE2JS.translateRegExp(bySource.get(part.pattern) ?? part.pattern);
  }
}

interface PatternedDefinition {
  readonly pattern?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: object } }[];
}

/** The patterns of a text's format and of its checks. */
function patternsOf(type: $ZodType): readonly RegExp[] {
  const own: PatternedDefinition = type._zod.def;
  const checks: readonly PatternedDefinition[] = (own.checks ?? []).map((check) => check._zod.def);
  return [own, ...checks].map(({ pattern }) => pattern).filter((pattern) => pattern instanceof RegExp);
}
