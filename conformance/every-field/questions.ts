import type { OutgoingHttpHeaders } from 'node:http';
import { type Field, resolved } from '../../bench/attack/fields/fields-of.ts';
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

/** Texts that rules of names, paths, addresses, amounts and times tell apart. */
const TEXTS: readonly string[] = [
  ...'/ a/ /a a/b/c a//b a.b/c a.b/ /a/../b ../a .. . a..b .a a. A.b/C a.b/C a_b -a a- _ a:b a=b a,b'.split(
    ' ',
  ),
  ...'\u00e9 \u{1f600} $(A) $( %41 C:\\a * *.a.b a.* http://a https://a/b?c#d a@b a@sha256:b system:a'.split(
    ' ',
  ),
  ...'kubernetes.io/a example.com/a 0 00 +1 1e3 1.5Ki 0.1 65536 99999999999 1h 1h30m 100% 101%'.split(' '),
  ...'1.2.3.4/33 10.0.0.0/8 10.0.0.1/8 ::1 fe80::1%a true None Always Europe/Berlin @daily'.split(' '),
  ...'2020-02-30T00:00:00Z 2020-01-01T00:00:00.000001Z'.split(' '),
  ...[' ', ' a', 'a ', 'a b', 'a\nb', 'a\0', '* * * * *', 'a'.repeat(64), 'b'.repeat(254)],
].map((text) => JSON.stringify(text));

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
  values: readonly string[] = VALUES,
): readonly Question[] {
  return fields.flatMap((field) =>
    endpointsOf(field, way).flatMap((endpoint) =>
      values.map((value) => {
        const text = filled(seed, kind.schema, kind.schemas, field, value);
        return questionOf(kind, seed, way, { endpoint, text, what: `${field.path.join('.')} = ${value}` });
      }),
    ),
  );
}

interface Asked {
  readonly endpoint: string;
  readonly text: string;
  /** The fields and their values. */
  readonly what: string;
}

/** The request that sends an object to an endpoint of it. */
export function questionOf(
  kind: ServedKind,
  seed: Members,
  way: Way,
  { endpoint, text, what }: Asked,
): Question {
  const { name } = seed.metadata as { name: string };
  const at = way.isStored ? `${kind.path}/${name}` : kind.path;
  return {
    name: `${kind.name}${endpoint} ${what}`,
    method: way.method,
    path: `${at}${endpoint}${way.query}`,
    text,
    headers: { 'content-type': way.type },
  };
}

/** Asks about the fields that are texts, with texts of many forms. */
export function textsOf(
  kind: ServedKind,
  seed: Members,
  way: Way,
  fields: readonly Field[],
): readonly Question[] {
  const texts = fields.filter(({ schema }) => resolved(schema, kind.schemas).type === 'string');
  return questionsOf(kind, seed, way, texts, TEXTS);
}

/** Metadata are written at both endpoints. */
export function endpointsOf({ path: [part] }: Field, { method }: Way): readonly string[] {
  if (method !== 'PUT') return [''];
  return part === 'status' ? ['/status'] : part === 'metadata' ? ['', '/status'] : [''];
}
