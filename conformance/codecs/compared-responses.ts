import { decodeEnvelope, type ProtobufCodec } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { readCborAnswer } from './cbor-answers.ts';

/** What is compared of a response. */
export interface ComparableAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

/** Returns the Protobuf codec of a kind; undefined for kinds that are not known. */
export type CodecLookup = (apiVersion: string, kind: string) => ProtobufCodec | undefined;

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/**
 * Compares the responses of two servers to one request: status, media type, the decoded object with the order of its members, and in
 * Protobuf the bytes, unless versions of other lengths are in them. Left out is what two servers choose for themselves: uids, versions, times, addresses and ports.
 * @returns what differs, undefined if nothing does
 */
export function differenceOf(
  ours: ComparableAnswer,
  theirs: ComparableAnswer,
  codecs: CodecLookup,
): string | undefined {
  const [a, b] = [ours, theirs].map((answer) => read(answer, codecs)) as [ReadAnswer, ReadAnswer];
  const heads = [headOf(ours, a), headOf(theirs, b)];
  const [first, second] = [printed(a.value), printed(b.value)];
  if (heads[0] !== heads[1]) return `${heads[0]} ≠ ${heads[1]}: ${around(first, second)}`;
  if (first !== second) return around(first, second);
  const isNoted = JSON.stringify(a.value).length !== JSON.stringify(b.value).length;
  if (!a.bytes || !b.bytes || lengthsOf(a) !== lengthsOf(b) || isNoted) return undefined;
  const [left, right] = [a, b].map(({ bytes, chosen }) => hexWithout(bytes as Uint8Array, chosen));
  return left === right ? undefined : `bytes: ${around(left as string, right as string)}`;
}

/** The status of an apply that does not fit its schema is another one there (semantics/apply#apply-algorithm). */
const NOT_TYPED = 'failed to create typed patch object';

const isNotTyped = (value: JsonValue): boolean =>
  isJsonObject(value) && String(value.message).startsWith(NOT_TYPED);

const headOf = ({ status, type }: ComparableAnswer, { value }: ReadAnswer): string =>
  `${isNotTyped(value) ? NOT_TYPED : status} ${type}`;

interface ReadAnswer {
  readonly value: JsonValue;
  /** Of Protobuf. */
  readonly bytes?: Uint8Array;
  /** What the server chose itself, as it stands in the bytes. */
  readonly chosen: readonly Uint8Array[];
}

/** Versions have different lengths, and so has all that contains them. */
const lengthsOf = ({ chosen }: ReadAnswer): string => chosen.map(({ length }) => length).join();

function read({ body, type }: ComparableAnswer, codecs: CodecLookup): ReadAnswer {
  if (type.startsWith('application/cbor')) return { value: readCborAnswer(body), chosen: [] };
  if (!type.startsWith(PROTOBUF)) {
    const text = Buffer.from(body).toString();
    return { value: parsed(text), chosen: [] };
  }
  const { apiVersion, kind, raw } = decodeEnvelope(body);
  const codec = codecs(apiVersion, kind);
  if (!codec) return { value: `${apiVersion} ${kind}`, bytes: body, chosen: [] };
  const value: JsonObject = { apiVersion, kind, ...codec.decode(raw) };
  const chosen: Uint8Array[] = [];
  collectChosen(value, chosen);
  return { value, bytes: body, chosen };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Members that a server chooses itself. */
const CHOSEN = new Set([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time'],
  ...['lastTransitionTime', 'clusterIP', 'nodePort', 'healthCheckNodePort'],
]);

/** The value as text, without what a server chooses itself. */
function printed(value: JsonValue): string {
  const shown =
    isJsonObject(value) && value.kind === 'Status' ? comparableStatus(value) : comparableList(value);
  return JSON.stringify(shown, (name, member) => {
    if (CHOSEN.has(name) && (typeof member === 'string' || typeof member === 'number')) return '…';
    // columns of tables are described in each project's own words
    if (name === 'description') return '…';
    if (name === 'clusterIPs' && Array.isArray(member)) return member.map(() => '…');
    return typeof member === 'string' ? withoutChoices(member) : member;
  });
}

/** A list without an empty `continue`, which lists that were not split do not have here (semantics/differences#continue-at-the-end). */
function comparableList(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(value.metadata) || value.metadata.continue !== '') return value;
  const { continue: _, ...metadata } = value.metadata;
  return { ...value, metadata };
}

/**
 * A Status without what Go prints in a notation of its own (semantics/status#shape): values that are invalid, differences of two
 * specifications, and what its scheme says of kinds that it does not know.
 */
function comparableStatus(status: JsonObject): JsonObject {
  if (isNotTyped(status)) return { kind: 'Status', message: withoutNotation(String(status.message)) };
  const { details, message } = status;
  const { causes } = isJsonObject(details) ? details : {};
  if (!Array.isArray(causes)) return { ...status, message: withoutNotation(String(message ?? '')) };
  const shortened = causes.map((cause) =>
    isJsonObject(cause) ? { ...cause, message: withoutValue(String(cause.message)) } : cause,
  );
  const [what = ''] = String(message).split(' is invalid: ');
  return { ...status, message: what, details: { ...(details as JsonObject), causes: shortened } };
}

/** The text of a cause: its kind, and what follows the value. */
function withoutValue(text: string): string {
  const [line = ''] = text.split('\n');
  const value = /^(?:Invalid|Unsupported|Duplicate) value: /.exec(line)?.[0];
  if (value === undefined) return line;
  // nothing follows the value
  if (line.endsWith('}') || value.startsWith('Dup')) return `${value}…`;
  const supported = line.indexOf(': supported values: ');
  return `${value}…${line.slice(supported >= 0 ? supported : line.lastIndexOf(': '))}`;
}

const UNKNOWN_KIND =
  /no kind "[^"]*" is registered for version "[^"]*" in scheme "[^"]*"|no such kind is known in "[^"]*"|another kind was expected/;

const withoutNotation = (text: string): string =>
  text
    .replace(UNKNOWN_KIND, '<kind>')
    // (semantics/differences#numbers-and-texts-in-cbor)
    .replace(
      /( cannot be handled as a \w+: )(?:failed to transcode RawExtension .*|(?:cbor|json|parsing time)\b.*)/,
      '$1<text>',
    )
    .replace(/(?<=wrong wireType = \d for field )\w+/, '…')
    // the kind that a body declares is looked at before what is in it (semantics/differences#bodies-of-another-kind-in-protobuf)
    .replace(/^(\w+)( in version "[^"]*" cannot be handled as a (?!\1:)\w+: ).*/, '$1$2<kind>')
    // (semantics/status#situations)
    .replace(/StorageError: .*AdditionalErrorMsg: /, '');

const withoutChoices = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, '<address>');

function collectChosen(value: JsonValue, into: Uint8Array[]): void {
  if (Array.isArray(value)) for (const item of value) collectChosen(item, into);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) {
      if (!CHOSEN.has(name) && name !== 'clusterIPs') collectChosen(member as JsonValue, into);
      else for (const each of [member].flat()) into.push(...encodedChoice(each as JsonValue));
    }
}

function encodedChoice(member: JsonValue): readonly Uint8Array[] {
  if (typeof member === 'number') return [Uint8Array.from(varint(member))];
  if (typeof member !== 'string' || member === '') return [];
  const seconds = Date.parse(member) / 1000;
  const isTime = /^\d{4}-/.test(member) && Number.isInteger(seconds);
  // with its length: a version of three digits may stand in any name
  const text = Buffer.from(member);
  return [Uint8Array.from(isTime ? [8, ...varint(seconds)] : [...varint(text.length), ...text])];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Shorter choices may be anything. */
const LEAST_BYTES = 3;

/** The bytes in hexadecimal without those choices; lengths of what contains them stay. */
function hexWithout(bytes: Uint8Array, chosen: readonly Uint8Array[]): string {
  const rest = Buffer.from(bytes);
  for (const choice of [...chosen].sort((one, other) => other.length - one.length)) {
    if (choice.length < LEAST_BYTES) continue;
    for (let at = rest.indexOf(choice); at >= 0; at = rest.indexOf(choice, at + choice.length))
      rest.fill(0x2e, at, at + choice.length);
  }
  return rest.toString('hex');
}

/** Where two texts begin to differ, with what is around. */
function around(ours: string, theirs: string): string {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const part = (text: string): string => text.slice(Math.max(0, at - 120), at + 160);
  return `at ${at}\n    ours   ${part(ours)}\n    theirs ${part(theirs)}`;
}
