import { DecodeError } from '@ashlar/codec';
import {
  dns1123SubdomainErrors,
  durationText,
  type FieldError,
  FieldErrors,
  joinedTexts,
  ParseError,
  parseDuration,
  requiredChoiceErrors,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import { compileMatchCondition } from '../webhook/match-conditions.ts';
import {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  InvalidAuthorizationError,
  type WebhookConfiguration,
} from './authorization-configuration.ts';
import {
  readWrittenConfiguration,
  type WrittenAuthorizer,
  type WrittenWebhook,
} from './written-configuration.ts';

export interface ParseAuthorizationOptions {
  readonly vocabulary: Vocabulary;
  /** Returns why a kubeconfig file cannot be used; by default every path is accepted. */
  fileProblem?(path: string): string | undefined;
}

/**
 * Parses a configuration in JSON or YAML, and validates it with all its conditions
 * (semantics/access#authorization).
 *
 * @throws DecodeError if the document is invalid, of another kind or has unknown fields
 * @throws TypedDecodeError if a field is of a wrong type
 * @throws InvalidAuthorizationError if it is invalid
 * @example
 * const { authorizers } = parseAuthorizationConfiguration(text, { vocabulary });
 * authorizers.map(({ type }) => type); // ['Webhook', 'Node', 'RBAC']
 */
export function parseAuthorizationConfiguration(
  document: string,
  options: ParseAuthorizationOptions,
): AuthorizationConfiguration {
  const { authorizers = [] } = readWrittenConfiguration(document, options.vocabulary);
  const errors = authorizersErrors(authorizers, options);
  if (errors.length > 0) throw new InvalidAuthorizationError(errors);
  requireNames(authorizers);
  return { authorizers: authorizers.map(authorizerOf) };
}

/** Metrics name the authorizers that are no webhooks by their type. @throws DecodeError */
function requireNames(authorizers: readonly WrittenAuthorizer[]): void {
  const wrong = authorizers.flatMap(({ type = '', name = '' }) => {
    const expected = type.toLowerCase();
    return type === 'Webhook' || name === expected
      ? []
      : [`expected name ${expected} for authorizer ${type} instead of ${name}`];
  });
  if (wrong.length > 0) throw new DecodeError(joinedTexts(wrong));
}

const TYPES: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];
const AUTHORIZED = '5m';
const UNAUTHORIZED = '30s';
const LONGEST_NANOSECONDS = 30_000_000_000n;
const MOST_CONDITIONS = 64;

function authorizersErrors(
  authorizers: readonly WrittenAuthorizer[],
  options: ParseAuthorizationOptions,
): readonly FieldError[] {
  if (authorizers.length === 0)
    return [FieldErrors.required('authorizers', 'at least one authorization mode must be defined')];
  const seen = { types: new Set<string>(), names: new Set<string>() };
  return authorizers.flatMap((authorizer, index) =>
    authorizerErrors(authorizer, `authorizers[${index}]`, seen, options),
  );
}

interface UsedNames {
  readonly types: Set<string>;
  readonly names: Set<string>;
}

function authorizerErrors(
  { type = '', name = '', webhook }: WrittenAuthorizer,
  path: string,
  seen: UsedNames,
  options: ParseAuthorizationOptions,
): readonly FieldError[] {
  if (type === '') return [FieldErrors.required(`${path}.type`)];
  if (!TYPES.includes(type)) return [FieldErrors.notSupported(`${path}.type`, type, TYPES)];
  if (seen.types.has(type) && type !== 'Webhook') return [FieldErrors.duplicate(`${path}.type`, type)];
  seen.types.add(type);
  const errors = nameErrors(name, `${path}.name`, seen.names);
  seen.names.add(name);
  if (type !== 'Webhook') {
    const why = 'may only be specified when type=Webhook';
    return webhook ? [...errors, FieldErrors.invalid(`${path}.webhook`, 'non-null', why)] : errors;
  }
  if (!webhook) return [...errors, FieldErrors.required(`${path}.webhook`, 'required when type=Webhook')];
  return [...errors, ...webhookErrors(webhook, path, options)];
}

function nameErrors(name: string, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [FieldErrors.required(path)];
  if (names.has(name)) return [FieldErrors.duplicate(path, name)];
  const why = dns1123SubdomainErrors(name);
  return why.length > 0
    ? [FieldErrors.invalid(path, name, `authorizer name is invalid: ${why.join(', ')}`)]
    : [];
}

/** The paths of errors omit `webhook`, as in the recorded responses. */
function webhookErrors(
  webhook: WrittenWebhook,
  path: string,
  options: ParseAuthorizationOptions,
): readonly FieldError[] {
  return [
    ...timeErrors(webhook, path),
    ...requiredChoiceErrors(`${path}.subjectAccessReviewVersion`, webhook.subjectAccessReviewVersion, [
      'v1',
      'v1beta1',
    ]),
    ...conditionVersionErrors(webhook, `${path}.matchConditionSubjectAccessReviewVersion`),
    ...requiredChoiceErrors(`${path}.failurePolicy`, webhook.failurePolicy, ['NoOpinion', 'Deny']),
    ...connectionErrors(webhook, `${path}.connectionInfo`, options),
    ...conditionErrors(webhook, `${path}.matchConditions`, options.vocabulary),
  ];
}

function timeErrors(webhook: WrittenWebhook, path: string): readonly FieldError[] {
  const timeout = nanosecondsOf(webhook.timeout);
  const isTooLong = timeout < 0n || timeout > LONGEST_NANOSECONDS;
  const remaining = [
    ['authorizedTTL', nanosecondsOf(webhook.authorizedTTL, AUTHORIZED)],
    ['unauthorizedTTL', nanosecondsOf(webhook.unauthorizedTTL, UNAUTHORIZED)],
  ] as const;
  return [
    ...(timeout === 0n ? [FieldErrors.required(`${path}.timeout`)] : []),
    ...(isTooLong
      ? [FieldErrors.invalid(`${path}.timeout`, durationText(timeout), 'must be > 0s and <= 30s')]
      : []),
    ...remaining.flatMap(([field, time]) =>
      time < 0n ? [FieldErrors.invalid(`${path}.${field}`, durationText(time), 'must be > 0s')] : [],
    ),
  ];
}

/** A duration, or a default if it is absent or 0. @throws DecodeError */
function nanosecondsOf(text = '0s', otherwise?: string): bigint {
  try {
    const time = parseDuration(text);
    return time === 0n && otherwise !== undefined ? parseDuration(otherwise) : time;
  } catch (error) {
    if (ParseError.is(error)) throw new DecodeError(error.message);
    throw error;
  }
}

function conditionVersionErrors(
  { matchConditionSubjectAccessReviewVersion: version = '', matchConditions = [] }: WrittenWebhook,
  path: string,
): readonly FieldError[] {
  if (version !== '') return version === 'v1' ? [] : [FieldErrors.notSupported(path, version, ['v1'])];
  if (matchConditions.length === 0) return [];
  return [FieldErrors.required(path, 'required if match conditions are specified')];
}

const IN_CLUSTER = 'InClusterConfig';
const FROM_FILE = 'KubeConfigFile';

function connectionErrors(
  { connectionInfo = {} }: WrittenWebhook,
  path: string,
  options: ParseAuthorizationOptions,
): readonly FieldError[] {
  const { type = '', kubeConfigFile: file } = connectionInfo;
  const at = `${path}.kubeConfigFile`;
  if (type === '') return [FieldErrors.required(`${path}.type`)];
  if (type === IN_CLUSTER)
    return file === undefined
      ? []
      : [FieldErrors.invalid(at, file, 'can only be set when type=KubeConfigFile')];
  if (type !== FROM_FILE)
    return [FieldErrors.notSupported(`${path}.type`, connectionInfo, [IN_CLUSTER, FROM_FILE])];
  if (!file) return [FieldErrors.required(at)];
  const problem = file.startsWith('/') ? options.fileProblem?.(file) : 'must be an absolute path';
  return problem === undefined ? [] : [FieldErrors.invalid(at, file, problem)];
}

function conditionErrors(
  { matchConditions = [] }: WrittenWebhook,
  path: string,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  if (matchConditions.length > MOST_CONDITIONS)
    return [FieldErrors.tooMany(path, matchConditions.length, MOST_CONDITIONS)];
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression = '' }, index) => {
    const at = `${path}[${index}].expression`;
    if (trimSpace(expression) === '') return [FieldErrors.required(at)];
    if (seen.has(expression)) return [FieldErrors.duplicate(at, expression)];
    seen.add(expression);
    const compiled = compileMatchCondition(expression, vocabulary);
    return typeof compiled === 'string' ? [FieldErrors.invalid(at, expression, compiled)] : [];
  });
}

function authorizerOf({ type, name = '', webhook }: WrittenAuthorizer): AuthorizerConfiguration {
  if (webhook) return { type: 'Webhook', name, webhook: webhookOf(webhook) };
  return { type: type as Exclude<AuthorizerConfiguration['type'], 'Webhook'>, name };
}

const millisecondsOf = (nanoseconds: bigint): number => Number(nanoseconds) / 1_000_000;

function webhookOf(webhook: WrittenWebhook): WebhookConfiguration {
  const { type, kubeConfigFile: file = '' } = webhook.connectionInfo ?? {};
  return {
    authorizedMilliseconds: millisecondsOf(nanosecondsOf(webhook.authorizedTTL, AUTHORIZED)),
    unauthorizedMilliseconds: millisecondsOf(nanosecondsOf(webhook.unauthorizedTTL, UNAUTHORIZED)),
    timeoutMilliseconds: millisecondsOf(nanosecondsOf(webhook.timeout)),
    version: webhook.subjectAccessReviewVersion === 'v1beta1' ? 'v1beta1' : 'v1',
    failurePolicy: webhook.failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
    connection: type === FROM_FILE ? { type, file } : { type: IN_CLUSTER },
    matchConditions: (webhook.matchConditions ?? []).map(({ expression = '' }) => expression),
  };
}
