import {
  apiVersionOf,
  type JsonObject,
  type JsonValue,
  kubernetesVocabulary,
  runAtOnce,
  type Schema,
} from '@ashlar/core';
import { objectDecoder, type ResourceDefinition, type ResourceVersion } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { workloadResources } from './workload-resources.ts';

const MOST_DEPTH = 14;

/** Objects that consist of the way to one required list. */
function* objectsWith(list: JsonValue, schema: Schema, depth = 0): Iterable<JsonValue> {
  if (depth > MOST_DEPTH) return;
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (part.alwaysPrinted && part.items) yield { [name]: list };
    for (const inside of objectsWith(list, part, depth + 1)) yield { [name]: inside };
  }
  if (schema.items) for (const item of objectsWith(list, schema.items, depth + 1)) yield [item];
}

const cases = workloadResources(kubernetesVocabulary).flatMap((definition) =>
  definition.versions
    .filter(({ storage }) => storage)
    .flatMap((version) =>
      [...objectsWith(null, version.schema), ...objectsWith([], version.schema)].map((object) => ({
        ...{ definition, version, object: object as JsonObject },
        text: `${definition.names.kind} ${JSON.stringify(object)}`,
      })),
    ),
);

/** Runs what a create and an update run of a kind, and returns what would be stored. */
function write(
  { group, names, strategy, ...rest }: ResourceDefinition,
  version: ResourceVersion,
  object: JsonObject,
) {
  const request = { fieldValidation: 'Ignore', findings: [], warn: () => {} } as const;
  const metadata = { name: 'a', namespace: 'n', uid: 'u' };
  const apiVersion = apiVersionOf({ group, version: version.name });
  const decoder = objectDecoder({ group, names, strategy, ...rest }, version);
  const decoded = decoder.decode({ kind: names.kind, apiVersion, ...object, metadata }, request);
  const prepared = strategy.prepareForCreate?.(decoded) ?? decoded;
  const updated = strategy.prepareForUpdate?.(decoded, prepared) ?? decoded;
  strategy.validate?.(prepared);
  if (strategy.validateSteps) runAtOnce(strategy.validateSteps(prepared));
  strategy.validateUpdate?.(updated, prepared);
  if (strategy.validateUpdateSteps) runAtOnce(strategy.validateUpdateSteps(updated, prepared));
  for (const stored of [undefined, prepared]) strategy.warnings?.(updated, stored, kubernetesVocabulary);
  for (const column of version.columns ?? []) column.cell(prepared, 0);
  return [strategy.completeStored?.(prepared, undefined), strategy.completeStored?.(updated, prepared)];
}

describe('a required list that is empty or null', () => {
  it('is one of many', () => {
    expect(cases.length).toBeGreaterThan(80);
  });

  it.each(cases)(
    'of $text is read by every step of a write, and printed as null',
    ({ definition, version, object }) => {
      const stored = write(definition, version, object);
      expect(JSON.stringify(stored)).not.toContain('[]');
      expect(JSON.stringify(stored)).toContain('null');
    },
  );
});
