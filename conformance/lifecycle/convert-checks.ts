import { withdrawnApiServices } from '@ashlar/aggregation';
import { type VersionForm, versionForms, withdrawnVersions } from '@ashlar/apis/withdrawn';
import {
  type ApiObject,
  type FieldError,
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary as vocabulary,
} from '@ashlar/core';
import { withdrawnDefinitions } from '@ashlar/extensions';
import { type Release, requireRelease } from '@ashlar/lifecycle';
import type { CaseRunner, OracleCase } from '../text-core/run-oracles.ts';
import { inWordsOf } from './words-of-releases.ts';

const forms = versionForms(
  [
    ...withdrawnVersions(vocabulary),
    ...withdrawnDefinitions(vocabulary),
    ...withdrawnApiServices(vocabulary),
  ],
  vocabulary,
);

function formOf(apiVersion: string, kind: string): VersionForm {
  const form = forms.get(`${apiVersion} ${kind}`);
  if (!form) throw new TypeError(`no ${apiVersion} ${kind}`);
  return form;
}

function convert({ manifest, release: text, from, kind, to }: OracleCase): Record<string, unknown> {
  const [old, now] = [formOf(from, kind), formOf(to, kind)];
  const release = requireRelease(text);
  const given = old.decode(manifest, release);
  const converted = now.fromCurrent(old.toCurrent(given));
  const reread = now.fromCurrent(now.toCurrent(now.decode(jsonOf(converted), release)));
  const errors = textsOf(old.createErrors(given, release), release);
  const newErrors = textsOf(now.createErrors(reread, release), release);
  return {
    defaulted: jsonOf(given),
    converted: jsonOf(converted),
    ...(pointers(reread, converted).length > 0 && { reread: jsonOf(reread) }),
    ...(errors.length > 0 && { errors }),
    ...(newErrors.length > 0 && { newErrors }),
    relabelled: relabelled(now, { ...manifest, apiVersion: to }, converted, release),
  };
}

function relabelled(
  now: VersionForm,
  manifest: JsonObject,
  converted: ApiObject,
  release: Release,
): Record<string, unknown> {
  const decoded = now.decode(manifest, release);
  const read = now.fromCurrent(now.toCurrent(decoded));
  return { errors: textsOf(now.createErrors(decoded, release), release), differs: pointers(read, converted) };
}

const jsonOf = (object: ApiObject): JsonObject => JSON.parse(JSON.stringify(object)) as JsonObject;

const textsOf = (errors: readonly FieldError[], release: Release): readonly string[] =>
  inWordsOf(release, errors.map(fieldErrorText));

/** JSON pointers at which two objects differ. */
function pointers(a: ApiObject, b: ApiObject): readonly string[] {
  const found: string[] = [];
  compare(jsonOf(a), jsonOf(b), '', found);
  return found.sort();
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined, path: string, found: string[]): void {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    for (const [index, item] of a.entries()) compare(item, b[index], `${path}/${index}`, found);
  else if (a !== undefined && b !== undefined && isJsonObject(a) && isJsonObject(b))
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      compare(a[name], b[name], `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  else if (JSON.stringify(a) !== JSON.stringify(b)) found.push(path);
}

/** Manifests in withdrawn versions, and what they are in the versions that replace them. */
export const convertChecks: Readonly<Record<string, CaseRunner>> = {
  convert: { inputs: ['manifest', 'release', 'from', 'kind', 'to', 'withdrawn'], answer: convert },
};
