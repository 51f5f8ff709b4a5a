import type { Schema } from '@ashlar/core';
import { type Breakage, everything, nothing, type SchemaChange } from './api-change.ts';

/** What a keyword limits. */
type Bound = 'at most' | 'at least';

const BOUNDS: readonly (readonly [keyword: keyof Schema, bound: Bound])[] = [
  ['maximum', 'at most'],
  ['minimum', 'at least'],
  ['maxLength', 'at most'],
  ['minLength', 'at least'],
  ['maxItems', 'at most'],
  ['minItems', 'at least'],
  ['maxProperties', 'at most'],
  ['minProperties', 'at least'],
];

/** How the limits of values change: narrower or wider. */
export function compareLimits(before: Schema, after: Schema, path: string): readonly SchemaChange[] {
  const report = (change: string, breaks: readonly Breakage[]): SchemaChange => ({ path, change, breaks });
  return [
    ...BOUNDS.flatMap(([keyword, bound]) => {
      const [old, now] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
      return old === now
        ? []
        : report(boundText(keyword, old, now), isNarrower(bound, old, now) ? everything : nothing);
    }),
    ...flags(before, after).map(([keyword, isSet]) =>
      report(`${keyword} is ${isSet ? 'now set' : 'no longer set'}`, isSet ? everything : nothing),
    ),
    ...(['pattern', 'multipleOf', 'format'] as const).flatMap((keyword) => {
      const [old, now] = [before[keyword], after[keyword]];
      return old === now
        ? []
        : report(boundText(keyword, old, now), isWider(keyword, old, now) ? nothing : everything);
    }),
    ...compareEnum(before, after, report),
  ];
}

function boundText(keyword: string, old: unknown, now: unknown): string {
  if (old === undefined) return `${keyword} is now ${JSON.stringify(now)}`;
  if (now === undefined) return `${keyword} is no longer ${JSON.stringify(old)}`;
  return `${keyword} was ${JSON.stringify(old)} and is ${JSON.stringify(now)}`;
}

function isNarrower(bound: Bound, old: number | undefined, now: number | undefined): boolean {
  if (now === undefined) return false;
  if (old === undefined) return true;
  return bound === 'at most' ? now < old : now > old;
}

function flags(before: Schema, after: Schema): readonly (readonly [keyword: string, isSet: boolean])[] {
  const keywords = ['exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems'] as const;
  return keywords
    .filter((keyword) => (before[keyword] ?? false) !== (after[keyword] ?? false))
    .map((keyword) => [keyword, after[keyword] === true] as const);
}

const WIDER_FORMATS: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

function isWider(keyword: 'pattern' | 'multipleOf' | 'format', old: unknown, now: unknown): boolean {
  if (now === undefined) return true;
  if (keyword === 'format') return old !== undefined && WIDER_FORMATS[String(old)] === now;
  if (keyword === 'pattern' || old === undefined) return false;
  return Number.isInteger(Number(old) / Number(now));
}

function compareEnum(
  before: Schema,
  after: Schema,
  report: (change: string, breaks: readonly Breakage[]) => SchemaChange,
): readonly SchemaChange[] {
  if (before.enum === undefined && after.enum === undefined) return [];
  if (after.enum === undefined) return [report('any value is allowed now', nothing)];
  if (before.enum === undefined)
    return [report(`only ${texts(after.enum).join(', ')} are allowed now`, everything)];
  const [old, now] = [texts(before.enum), texts(after.enum)];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .map((value) => report(`${value} is no longer allowed`, everything)),
    ...now.filter((value) => !old.includes(value)).map((value) => report(`${value} is allowed now`, nothing)),
  ];
}

const texts = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value));
