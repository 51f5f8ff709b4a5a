import {
  fromBase64Url,
  jsonTypeError,
  metaGroup,
  ParseError,
  parseInt64,
  StatusError,
  toBase64Url,
  type Vocabulary,
} from '@ashlar/core';
import { JsonMembers, type JsonNode, type JsonNumber, readJson } from './read-json-members.ts';

/** Position at which a paged list continues. */
export interface ContinuePosition {
  /** Revision of the store at which the list is read; -1 for the latest. */
  readonly revision: number;
  /** Key of the last object returned; the list continues after it. */
  readonly after: string;
}

/** Content of a continue token: the first key to read, and a 64-bit revision. */
export interface ContinueKey {
  readonly key: string;
  readonly revision: bigint;
}

const INVALID = 'continue key is not valid';

/** The first key that can follow a key. */
const FOLLOWING = '\0';

/**
 * The token of the next page (semantics/list-and-watch#list). Opaque to clients; not signed.
 * @param prefix of all keys of the list, which the token leaves out
 * @throws TypeError if the key does not begin with the prefix
 */
export function encodeContinueToken(
  { revision, after }: ContinuePosition,
  prefix: string,
  vocabulary: Vocabulary,
): string {
  return encodeContinueKey({ key: after + FOLLOWING, revision: BigInt(revision) }, prefix, vocabulary);
}

/**
 * Reads the token of a request.
 * @throws StatusError 400 with the recorded texts of semantics/list-and-watch#option-validation
 */
export function decodeContinueToken(token: string, prefix: string, vocabulary: Vocabulary): ContinuePosition {
  try {
    const { key, revision } = decodeContinueKey(token, prefix, vocabulary);
    return { revision: Number(revision), after: key.endsWith(FOLLOWING) ? key.slice(0, -1) : key };
  } catch (error) {
    if (ParseError.is(error)) throw StatusError.badRequest(`invalid continue token: ${error.message}`, error);
    throw error;
  }
}

/**
 * The token that starts at a key.
 * @throws TypeError if the key does not begin with the prefix, or the prefix is empty
 */
export function encodeContinueKey(
  { key, revision }: ContinueKey,
  prefix: string,
  vocabulary: Vocabulary,
): string {
  if (prefix === '' || !key.startsWith(prefix)) {
    throw new TypeError('unable to encode next field: the key and key prefix do not match');
  }
  const version = jsonText(versionOf(vocabulary));
  const start = jsonText(key.slice(prefix.length));
  return toBase64Url(new TextEncoder().encode(`{"v":${version},"rv":${revision},"start":${start}}`));
}

/**
 * Decodes a token. The key cannot leave the prefix.
 * @throws ParseError with the recorded texts
 */
export function decodeContinueKey(token: string, prefix: string, vocabulary: Vocabulary): ContinueKey {
  const { version, revision, start } = readToken(token);
  const expectedVersion = versionOf(vocabulary);
  if (version !== expectedVersion)
    throw new ParseError(`${INVALID}: server does not recognize this encoded version ${version}`);
  if (revision === 0n)
    throw new ParseError(`${INVALID}: incorrect encoded start resourceVersion (version ${expectedVersion})`);
  if (start === '') throw new ParseError(`${INVALID}: encoded start key empty (version ${expectedVersion})`);
  const path = start.startsWith('/') ? start.slice(1) : start;
  if (path !== '' && path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw new ParseError(`${INVALID}: ${start}`);
  }
  return { key: prefix + path, revision };
}

const versionOf = (vocabulary: Vocabulary): string => `${metaGroup(vocabulary)}/v1`;

interface TokenFields {
  readonly version: string;
  readonly revision: bigint;
  readonly start: string;
}

function readToken(token: string): TokenFields {
  try {
    return fieldsOf(readJson(fromBase64Url(token)));
  } catch (error) {
    if (ParseError.is(error)) throw new ParseError(`${INVALID}: ${error.message}`);
    throw error;
  }
}

/** Fields are matched case-insensitively, the last one wins; the first of a wrong type is the error. */
function fieldsOf(document: JsonNode): TokenFields {
  const fields = { version: '', revision: 0n, start: '' };
  if (document === null) return fields;
  if (!(document instanceof JsonMembers)) throw jsonTypeError(typeSample(document), 'storage.continueToken');
  let firstError: ParseError | undefined;
  for (const [name, value] of document.entries) {
    try {
      if (value !== null) takeField(fields, name.toLowerCase(), value);
    } catch (error) {
      firstError ??= error as ParseError;
    }
  }
  if (firstError) throw firstError;
  return fields;
}

function takeField(
  fields: { version: string; revision: bigint; start: string },
  name: string,
  value: JsonNode,
): void {
  if (name === 'v') fields.version = textOf(value, 'v');
  else if (name === 'start') fields.start = textOf(value, 'start');
  else if (name === 'rv') fields.revision = integerOf(value, 'rv');
}

const place = (name: string): string => `Go struct field continueToken.${name}`;

function textOf(value: JsonNode, name: string): string {
  if (typeof value === 'string') return value;
  throw jsonTypeError(typeSample(value), 'string', place(name));
}

function integerOf(value: JsonNode, name: string): bigint {
  if (!isNumber(value)) throw jsonTypeError(typeSample(value), 'int64', place(name));
  const integer = parseInt64(value.spelled);
  if (integer !== undefined) return integer;
  throw new ParseError(`json: cannot unmarshal number ${value.spelled} into ${place(name)} of type int64`);
}

const isNumber = (value: JsonNode): value is JsonNumber =>
  typeof value === 'object' && value !== null && 'spelled' in value;

/** The value with only its type preserved, as error texts need it. */
const typeSample = (value: JsonNode): unknown => (isNumber(value) ? 0 : value);

/** A JSON string as tokens have always been written: characters special to HTML are escaped. */
function jsonText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
