import { type JsonValue, jsonEqual, type Schema } from '@ashlar/core';
import {
  type Breakage,
  clients,
  everything,
  nothing,
  type SchemaChange,
  storedObjects,
} from './api-change.ts';
import { compareLimits } from './compare-limits.ts';

/**
 * Lists the differences between two schemas of the same objects, and what they break. Descriptions and titles
 * do not count.
 *
 * @example
 * compareSchemas({ type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, 'spec.name');
 * // [{ path: 'spec.name', change: 'maxLength was 9 and is 5', breaks: ['stored objects', 'clients'] }]
 */
export function compareSchemas(before: Schema, after: Schema, path: string = ''): readonly SchemaChange[] {
  if (before === after) return [];
  const [old, now] = [typeText(before), typeText(after)];
  if (old !== now) return [{ path, change: `was ${old} and is ${now}`, breaks: typeBreakage(old, now) }];
  return [
    ...compareOwn(before, after, path),
    ...compareLimits(before, after, path),
    ...compareProperties(before, after, path),
    ...compareFurther(before, after, path),
    ...compareSchemas(before.items ?? ANYTHING, after.items ?? ANYTHING, `${path}[]`),
  ];
}

const ANYTHING: Schema = {};

function typeText({ type, intOrString }: Schema): string {
  if (intOrString) return 'an integer or string';
  return type === undefined ? 'of any type' : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** A type that accepts every old value breaks only readers: new values may be of the other type. */
function typeBreakage(old: string, now: string): readonly Breakage[] {
  if (now === 'of any type') return clients;
  if (now === 'a number' && old === 'an integer') return clients;
  const isPart = old === 'an integer' || old === 'a string';
  return now === 'an integer or string' && isPart ? clients : everything;
}

function compareOwn(before: Schema, after: Schema, path: string): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  const report = (change: string, breaks: readonly Breakage[]): void =>
    void changes.push({ path, change, breaks });
  if (differs(before.default, after.default)) report(...defaultChange(before.default, after.default));
  if (isSet(before.nullable) !== isSet(after.nullable))
    after.nullable ? report('may be null now', nothing) : report('may no longer be null', everything);
  if (isSet(before.preserveUnknownFields) !== isSet(after.preserveUnknownFields))
    after.preserveUnknownFields
      ? report('keeps unknown fields now', nothing)
      : report('no longer keeps unknown fields', everything);
  if (isSet(before.embeddedResource) !== isSet(after.embeddedResource))
    after.embeddedResource
      ? report('must be a whole object now', everything)
      : report('need not be a whole object any more', nothing);
  compareMerging(before, after, report);
  compareCombinations(before, after, report);
  compareRules(before, after, report);
  return changes;
}

type ReportChange = (change: string, breaks: readonly Breakage[]) => void;

const isSet = (flag: boolean | undefined): boolean => flag === true;

function differs(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === undefined || b === undefined ? a !== b : !jsonEqual(a, b);
}

function defaultChange(
  old: JsonValue | undefined,
  now: JsonValue | undefined,
): [change: string, breaks: readonly Breakage[]] {
  if (old === undefined) return [`has the default ${JSON.stringify(now)} now`, nothing];
  if (now === undefined) return [`has no longer the default ${JSON.stringify(old)}`, clients];
  return [`had the default ${JSON.stringify(old)} and has ${JSON.stringify(now)}`, everything];
}

/** How lists and maps are merged and owned; new uniqueness may be violated. */
function compareMerging(before: Schema, after: Schema, report: ReportChange): void {
  const [old, now] = [before.listType ?? 'atomic', after.listType ?? 'atomic'];
  if (old !== now)
    report(`was a list of type ${old} and is one of type ${now}`, now === 'atomic' ? clients : everything);
  if (old === 'map' && now === 'map' && differs(before.listMapKeys, after.listMapKeys))
    report(`the keys of the list were ${keys(before)} and are ${keys(after)}`, everything);
  const [oldMap, newMap] = [before.mapType ?? 'granular', after.mapType ?? 'granular'];
  if (oldMap !== newMap) report(`was a map of type ${oldMap} and is one of type ${newMap}`, clients);
  for (const keyword of ['patchStrategy', 'patchMergeKey'] as const)
    if (before[keyword] !== after[keyword]) report(`${keyword} is another`, clients);
}

const keys = ({ listMapKeys = [] }: Schema): string => listMapKeys.join(', ');

/** Whether new alternatives accept what the old ones accepted cannot be derived from their form. */
function compareCombinations(before: Schema, after: Schema, report: ReportChange): void {
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'not'] as const) {
    const [old, now] = [before[keyword], after[keyword]] as (JsonValue | undefined)[];
    if (!differs(old, now)) continue;
    if (now === undefined) report(`${keyword} is gone`, nothing);
    else report(old === undefined ? `has ${keyword} now` : `${keyword} is another`, everything);
  }
}

function compareRules(before: Schema, after: Schema, report: ReportChange): void {
  const rulesOf = ({ validations = [] }: Schema): readonly string[] => validations.map(({ rule }) => rule);
  const [old, now] = [rulesOf(before), rulesOf(after)];
  for (const rule of now)
    if (!old.includes(rule))
      report(`has the rule ${JSON.stringify(rule)} now`, /\boldSelf\b/.test(rule) ? clients : everything);
  for (const rule of old)
    if (!now.includes(rule)) report(`has no longer the rule ${JSON.stringify(rule)}`, nothing);
}

function compareProperties(before: Schema, after: Schema, path: string): readonly SchemaChange[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(old, name));
  const common = Object.keys(now).filter((name) => Object.hasOwn(old, name));
  return [
    ...removed.map((name) => ({ path: join(path, name), ...removal(after) })),
    ...added.map((name) => ({ path: join(path, name), ...addition(before) })),
    ...compareRequired(before, after, path),
    ...common.flatMap((name) => compareSchemas(old[name] as Schema, now[name] as Schema, join(path, name))),
  ];
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const takesFurther = ({ preserveUnknownFields, additionalProperties }: Schema): boolean =>
  preserveUnknownFields === true || (additionalProperties !== undefined && additionalProperties !== false);

function removal(after: Schema): Pick<SchemaChange, 'change' | 'breaks'> {
  return takesFurther(after)
    ? { change: 'is no longer described; what is there is kept', breaks: clients }
    : { change: 'is gone; what is there is dropped', breaks: everything };
}

/** If unknown fields were preserved before, stored values of that name may not fit. */
function addition(before: Schema): Pick<SchemaChange, 'change' | 'breaks'> {
  return takesFurther(before)
    ? { change: 'is new, where unknown fields were kept', breaks: storedObjects }
    : { change: 'is new', breaks: nothing };
}

function compareRequired(before: Schema, after: Schema, path: string): readonly SchemaChange[] {
  const [old, now] = [before.required ?? [], after.required ?? []];
  const isRemoved = (name: string): boolean =>
    Object.hasOwn(before.properties ?? {}, name) && !Object.hasOwn(after.properties ?? {}, name);
  const hasDefault = (name: string): boolean => after.properties?.[name]?.default !== undefined;
  return [
    ...now
      .filter((name) => !old.includes(name))
      .map((name) => ({
        path: join(path, name),
        change: hasDefault(name) ? 'is required now, and has a default' : 'is required now',
        breaks: hasDefault(name) ? nothing : everything,
      })),
    ...old
      .filter((name) => !now.includes(name) && !isRemoved(name))
      .map((name) => ({ path: join(path, name), change: 'is no longer required', breaks: nothing })),
  ];
}

/** Members without a declared property. */
function compareFurther(before: Schema, after: Schema, path: string): readonly SchemaChange[] {
  const [old, now] = [before.additionalProperties ?? false, after.additionalProperties ?? false];
  const within = `${path}{}`;
  if (typeof old === 'object' && typeof now === 'object') return compareSchemas(old, now, within);
  if (old === now) return [];
  if (now === true) return [{ path: within, change: 'may be anything now', breaks: nothing }];
  if (now === false)
    return [{ path: within, change: 'is gone; what is there is dropped', breaks: everything }];
  const breaks = old === true ? everything : nothing;
  return [{ path: within, change: old === true ? 'may no longer be anything' : 'is new', breaks }];
}
