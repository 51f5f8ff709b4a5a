import { decodeEnvelope } from '@ashlar/codec';

/** How objects and lists are asked for. */
export const forms = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'metadata list': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
} as const;

export type Form = keyof typeof forms;

/** Ages, and those inside a cell such as `3 (5m ago)`. */
const AGE = /\b(?:\d+[ydhms])+\b/g;
const CELLS = /"cells":\[(?:"(?:\\.|[^"\\])*"|[^\]"])*\]/g;
const AGE_CELL = /"(?:\d+ \()?(?:\d+[ydhms])+(?: ago\))?"/g;

/**
 * The bytes of a response that must be equal. Left out are: of lists, the revision of the store and the token that continues at it, also if it is empty
 * (semantics/differences#continue-at-the-end); of tables, the ages, and the descriptions of columns, which are worded differently. An empty list
 * of metadata may be null (semantics/tables#shapes).
 */
export function comparable(form: Form, isList: boolean, body: Buffer): string {
  if (form === 'protobuf') return isList ? withoutListMeta(body) : body.toString('latin1');
  const text = body.toString();
  if (form === 'yaml') return isList ? withoutRevision(text, YAML_METADATA) : text;
  const listed = isList || form === 'table' ? withoutRevision(text, JSON_METADATA) : text;
  if (form === 'metadata list') return listed.replace('"items":null', '"items":[]');
  return form === 'table' ? withoutAges(listed) : listed;
}

/** The metadata of a list, before its items or, with sorted keys, after them. */
const JSON_METADATA = /(?<=^\{"kind":"[^"]*","apiVersion":"[^"]*",|"kind":"\w*List",)"metadata":\{[^{}]*\}/;
const YAML_METADATA = /^metadata:(?: \{\})?\n(?: {2}.*\n)*/m;

function withoutRevision(text: string, metadata: RegExp): string {
  return text.replace(metadata, (found) =>
    found
      .replace(/("?resourceVersion"?: ?)"\d+"/, '$1…')
      .replace(/"continue":"[\w=-]*",?/, '')
      .replace(/ {2}continue: .*\n/, '')
      .replace(',}', '}'),
  );
}

function withoutAges(text: string): string {
  const rows = text.indexOf('"rows":');
  const columns = text.slice(0, rows).replace(/"description":"(?:\\.|[^"\\])*"/g, '"description":…');
  const cells = text
    .slice(rows)
    .replace(CELLS, (all) => all.replace(AGE_CELL, (cell) => cell.replace(AGE, '…')));
  return columns + cells;
}

/** A list of Protobuf without its first field, whose length depends on the digits of the revision. */
function withoutListMeta(body: Buffer): string {
  const { apiVersion, kind, raw } = decodeEnvelope(body);
  const [tag, length = 0] = raw;
  if (tag !== 0x0a || length > 0x7f) throw new Error('the list does not begin with its metadata');
  return `${apiVersion} ${kind} ${Buffer.from(raw.subarray(2 + length)).toString('latin1')}`;
}
