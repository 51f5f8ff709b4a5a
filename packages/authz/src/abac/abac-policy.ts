import { bodyKind, DecodeError, decodeDocument, namedKind } from '@ashlar/codec';
import { goQuote, type JsonValue, type Schema, type Vocabulary } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';

/**
 * One line of a policy file: what a user, a group or both together may do. `*` matches everything; for users
 * and groups, every authenticated user.
 */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  /** Only read verbs. */
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

/** A decoded line. */
export interface DecodedPolicy {
  readonly policy: AbacPolicy;
  /** Whether the line names no kind, or no version: it is in the older form then. */
  readonly isVersionless: boolean;
}

const KIND = 'Policy';
const OLDER = 'v0';
const CURRENT = 'v1beta1';

/**
 * Decodes one policy, in JSON or YAML; unknown fields are passed over (semantics/access#abac).
 * @throws DecodeError if it is malformed or of another kind; TypedDecodeError if a field is of a wrong type
 */
export function decodeAbacPolicy(line: string, vocabulary: Vocabulary): DecodedPolicy {
  const { value } = decodeDocument(line);
  const version = versionOf(value, line, vocabulary);
  if (version === CURRENT) {
    const { spec } = currentCodec.decode(value, passOver) as { readonly spec?: Partial<AbacPolicy> };
    return { policy: { ...EMPTY, ...spec }, isVersionless: false };
  }
  const written = olderCodec.decode(value, passOver) as Partial<AbacPolicy>;
  return { policy: fromOlder(written), isVersionless: version === undefined };
}

const passOver = (): void => {};

/**
 * Returns the version of a policy, undefined without kind and version. One of them alone is an oversight: in the older form the line would
 * allow everything to everyone.
 * @throws DecodeError for an unknown kind or version
 */
function versionOf(value: JsonValue, line: string, { labelDomain }: Vocabulary): string | undefined {
  const first = bodyKind(value);
  if (first.kind === '' && first.apiVersion === '' && value !== null) return undefined;
  const { kind, apiVersion } = namedKind(value, line);
  const group = `abac.authorization.${labelDomain}/`;
  const version = [OLDER, CURRENT].find((each) => apiVersion === `${group}${each}`);
  if (kind !== KIND || version === undefined)
    throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  return version;
}

const EMPTY: AbacPolicy = {
  ...{ user: '', group: '', readonly: false },
  ...{ apiGroup: '', resource: '', namespace: '', nonResourcePath: '' },
};

/** The older form: a policy without user and group matches everyone, one without resource or namespace all of them. */
function fromOlder(written: Partial<AbacPolicy>): AbacPolicy {
  const { user, group, readonly, resource, namespace } = { ...EMPTY, ...written };
  return {
    ...{ user, readonly, apiGroup: '*' },
    group: user === '' && group === '' ? '*' : group,
    namespace: namespace || '*',
    resource: resource || '*',
    // the older form allowed users with any policy everything except writes to paths
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  };
}

const text: Schema = { type: 'string' };
const shared = {
  user: text,
  group: text,
  readonly: { type: 'boolean' },
  resource: text,
  namespace: text,
} as const;

const olderCodec = compileTyped({
  type: 'object',
  typeName: `${OLDER}.${KIND}`,
  properties: { kind: text, apiVersion: text, ...shared },
});

const currentCodec = compileTyped({
  type: 'object',
  typeName: `${CURRENT}.${KIND}`,
  properties: {
    ...{ kind: text, apiVersion: text },
    spec: {
      type: 'object',
      typeName: `${CURRENT}.PolicySpec`,
      properties: { ...shared, apiGroup: text, nonResourcePath: text },
    },
  },
});
