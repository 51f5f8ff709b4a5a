import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** One request and the reference's response. `$ns` stands for the namespace of the scenario. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly contentType?: string;
  readonly accept?: string;
  readonly expect?: Answer;
}

/** Requests in order, in a namespace of their own: one line of a `.jsonl` file. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** The compared parts of a response. */
export interface Answer {
  readonly status: number;
  readonly body: JsonValue;
}

/** A step with the namespace of its scenario. */
export function inNamespace(step: Step, namespace: string): Step {
  return JSON.parse(JSON.stringify({ ...step, expect: undefined }).replaceAll('$ns', namespace)) as Step;
}

/** The headers of a step's request. */
export function headersOf({ body, contentType, accept }: Step): Record<string, string> {
  return {
    'user-agent': 'replay',
    ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    ...(accept && { accept }),
  };
}

/**
 * The compared parts of a response: without identities, versions and times, and without effects of the
 * reference's admission plugins that are not part of a kind; of errors the causes, without values in Go
 * syntax; of tables the columns and cells.
 */
export function comparable(status: number, text: string, namespace: string): Answer {
  const body = JSON.parse(text.replaceAll(namespace, '$ns')) as JsonValue;
  return { status, body: bodyOf(body) };
}

function bodyOf(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  if (body.kind === 'Status') return statusOf(body);
  if (body.kind === 'Table') return tableOf(body);
  if (Array.isArray(body.items))
    return { kind: body.kind ?? null, items: body.items.map((item) => plain(item, '')) };
  return plain(body, '');
}

function statusOf({ status, code, reason, message, details }: JsonObject): JsonValue {
  const { kind, name, group, causes } = (details ?? {}) as JsonObject;
  const causesOrMessage = Array.isArray(causes)
    ? causes.map(
        (cause: JsonObject) => `${cause.field}: ${cause.reason}: ${withoutDump(String(cause.message))}`,
      )
    : null;
  return present({
    status,
    code,
    reason,
    kind,
    name,
    group,
    ...(causesOrMessage ? { causes: causesOrMessage } : { message }),
  });
}

const present = (object: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;

/** Values and diffs are printed differently by each implementation. */
function withoutDump(message: string): string {
  const [first = ''] = message.split('\n');
  return first.replace(/^(Invalid|Unsupported|Duplicate) value: .*?(: [a-z`'"].*|)$/, '$1 value$2');
}

function tableOf({ columnDefinitions, rows }: JsonObject): JsonValue {
  const columns = (columnDefinitions ?? []) as readonly JsonObject[];
  return {
    columns: columns.map(({ name, type, format, priority }) => `${name} ${type} ${format} ${priority}`),
    rows: ((rows ?? []) as readonly JsonObject[]).map(({ cells, conditions }) =>
      present({ cells: (cells as readonly JsonValue[]).map((cell) => plain(cell, '')), conditions }),
    ),
  };
}

/** Paths of what differs between any two servers, or is not a part of a kind. */
const LEFT_OUT: readonly RegExp[] = [
  /^metadata\.(uid|resourceVersion|managedFields|finalizers)$/,
  /^spec\.(priority|preemptionPolicy|tolerations|taints)$/,
];

const TIME: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const IDENTITY: RegExp = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AGE: RegExp = /^(\d+s|<invalid>)$/;

function plain(value: JsonValue, path: string): JsonValue {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map((item) => plain(item, `${path}[]`));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .map(([key, part]): [string, string, JsonValue | undefined] => [key, path ? `${path}.${key}` : key, part])
    .filter(([, at, part]) => part !== undefined && !LEFT_OUT.some((left) => left.test(at)))
    .map(([key, at, part]): [string, JsonValue] => [key, plain(part ?? null, at)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function plainText(text: string): string {
  if (TIME.test(text)) return '<time>';
  if (AGE.test(text)) return '<age>';
  return text.replace(IDENTITY, '<uid>').replace(/\(\d+\w+(?:\d+\w)? ago\)/, '(<age> ago)');
}
