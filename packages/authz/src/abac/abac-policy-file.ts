import { DecodeError, decodeJson, encodeUtf8, unreadableKind } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';

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

/** A parsed policy file. */
export interface AbacPolicyFile {
  readonly policies: readonly AbacPolicy[];
  /** Warnings about lines in the older form, without a version. */
  readonly warnings: readonly string[];
}

/**
 * Parses a policy file: one JSON object per line; blank lines and lines that start with `#` are skipped (semantics/access#abac).
 * @param path for the errors
 * @throws Error `error reading policy file <path>, line <n>: <data>: <why>`
 */
export function parseAbacPolicyFile(text: string, path: string, vocabulary: Vocabulary): AbacPolicyFile {
  const policies: AbacPolicy[] = [];
  const warnings: string[] = [];
  for (const [index, untrimmed] of text.split('\n').entries()) {
    const line = untrimmed.trim();
    if (line === '' || line.startsWith('#')) continue;
    try {
      const policy = parseLine(line, vocabulary);
      policies.push(policy.policy);
      if (policy.isVersionless)
        warnings.push(`${path}, line ${index + 1}: the form without a version is deprecated`);
    } catch (error) {
      throw new Error(
        `error reading policy file ${path}, line ${index + 1}: ${line}: ${(error as Error).message}`,
      );
    }
  }
  return { policies, warnings };
}

function parseLine(
  line: string,
  { labelDomain }: Vocabulary,
): { readonly policy: AbacPolicy; readonly isVersionless: boolean } {
  const object = readLine(line);
  if (!isJsonObject(object)) throw new Error('a policy is an object');
  const { apiVersion, kind } = object;
  if (apiVersion === undefined && kind === undefined)
    return { policy: fromVersionless(object), isVersionless: true };
  const group = `abac.authorization.${labelDomain}`;
  if (kind !== 'Policy' || (apiVersion !== `${group}/v1beta1` && apiVersion !== `${group}/v0`))
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
  if (apiVersion === `${group}/v0`) return { policy: fromVersionless(object), isVersionless: false };
  if (!isJsonObject(object.spec)) throw new Error('a policy has a spec');
  return { policy: policyOf(object.spec), isVersionless: false };
}

function readLine(line: string): JsonValue {
  try {
    return decodeJson(encodeUtf8(line)).value;
  } catch (error) {
    throw DecodeError.is(error) ? new DecodeError(unreadableKind(error.message), error) : error;
  }
}

function policyOf(spec: JsonObject): AbacPolicy {
  return {
    user: text(spec, 'user'),
    group: text(spec, 'group'),
    readonly: flag(spec, 'readonly'),
    apiGroup: text(spec, 'apiGroup'),
    resource: text(spec, 'resource'),
    namespace: text(spec, 'namespace'),
    nonResourcePath: text(spec, 'nonResourcePath'),
  };
}

/** The older form: a policy without user and group matches everyone, one without resource or namespace all of them. */
function fromVersionless(object: JsonObject): AbacPolicy {
  const policy = policyOf(object);
  const isForAll = policy.user === '' && policy.group === '';
  return {
    ...policy,
    ...(isForAll && { group: '*' }),
    apiGroup: '*',
    namespace: policy.namespace || '*',
    resource: policy.resource || '*',
    // the older form allowed users with any policy everything except writes to paths
    ...(policy.namespace === '' && policy.resource === '' && { nonResourcePath: '*' }),
  };
}

function text(spec: JsonObject, field: string): string {
  const value = spec[field] ?? '';
  if (typeof value !== 'string') throw new Error(`${field} is not a text`);
  return value;
}

function flag(spec: JsonObject, field: string): boolean {
  const value = spec[field] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${field} is neither true nor false`);
  return value;
}
