import type { OutgoingHttpHeaders } from 'node:http';
import type { Field } from '../../bench/attack/fields/fields-of.ts';
import { filled } from '../../bench/attack/fields/filled.ts';
import type { Members } from '../../bench/attack/fields/seeds.ts';
import type { ServedKind } from '../../bench/attack/fields/served-kinds.ts';

/** A request about one field of an object. */
export interface Question {
  /** The kind, the field and its value. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** JSON; `RESOURCE_VERSION` stands for the version of the stored object. */
  readonly text: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Stands for what differs between servers. */
export const RESOURCE_VERSION = '@resourceVersion@';

/** Values that fields of some types cannot have, as JSON. */
export const VALUES: readonly string[] = [
  ...['null', '""', '"x"', '"X_y"', '"-1"', '-1', '0', '1', '10000000000', '1.5', 'true'],
  ...['{}', '[]', '[""]', '[{}]', '["a","a"]', '{"a":"b"}', '{"a":null}'],
  ...['"10%"', '"1Gi"', '"2020-01-01T00:00:00Z"', '"a/b"', '"1.2.3.4"', JSON.stringify('y'.repeat(70))],
];

/** How a field is sent. */
export interface Way {
  readonly method: string;
  readonly type: string;
  readonly query: string;
  /** Whether the object is stored before. */
  readonly isStored: boolean;
}

const DRY = '?dryRun=All';

export const WAYS: Readonly<Record<string, Way>> = {
  create: { method: 'POST', type: 'application/json', query: DRY, isStored: false },
  replace: { method: 'PUT', type: 'application/json', query: DRY, isStored: true },
  apply: {
    method: 'PATCH',
    type: 'application/apply-patch+yaml',
    query: `${DRY}&fieldManager=m&force=true`,
    isStored: true,
  },
  merge: { method: 'PATCH', type: 'application/merge-patch+json', query: DRY, isStored: true },
  strategic: { method: 'PATCH', type: 'application/strategic-merge-patch+json', query: DRY, isStored: true },
};

/** What is asked about fields of a kind: each with each value, at the endpoints that write it. @param seed an object of the kind */
export function questionsOf(
  kind: ServedKind,
  seed: Members,
  way: Way,
  fields: readonly Field[],
): readonly Question[] {
  const { name } = seed.metadata as { name: string };
  const at = way.isStored ? `${kind.path}/${name}` : kind.path;
  return fields.flatMap((field) =>
    endpointsOf(field, way).flatMap((endpoint) =>
      VALUES.map((value) => ({
        name: `${kind.name}${endpoint} ${field.path.join('.')} = ${value}`,
        method: way.method,
        path: `${at}${endpoint}${way.query}`,
        text: filled(seed, kind.schema, kind.schemas, field, value),
        headers: { 'content-type': way.type },
      })),
    ),
  );
}

/** Metadata are written at both endpoints. */
export function endpointsOf({ path: [part] }: Field, { method }: Way): readonly string[] {
  if (method !== 'PUT') return [''];
  return part === 'status' ? ['/status'] : part === 'metadata' ? ['', '/status'] : [''];
}
