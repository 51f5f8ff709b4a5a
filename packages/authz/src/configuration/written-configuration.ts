import { type BodyKind, DecodeError, decodeDocument, namedKind, rejectStrictErrors } from '@ashlar/codec';
import { goQuote, type Schema, type Vocabulary } from '@ashlar/core';
import { collectStrictErrors, compileTyped, type TypedCodec } from '@ashlar/schema';

/** The configuration as in its file: every field is optional. Durations are strings. */
export interface WrittenConfiguration {
  readonly authorizers?: readonly WrittenAuthorizer[];
}

export interface WrittenAuthorizer {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: WrittenWebhook;
}

export interface WrittenWebhook {
  readonly authorizedTTL?: string;
  readonly unauthorizedTTL?: string;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

const KIND = 'AuthorizationConfiguration';
const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];
const text: Schema = { type: 'string' };
const optional: Schema = { ...text, optional: true };
/** Neither null nor an empty text is one. */
const duration: Schema = { ...text, format: 'duration' };
const codecs = new Map<string, TypedCodec>();

/** @throws DecodeError if the document is invalid, of another kind, or has unknown fields */
export function readWrittenConfiguration(document: string, vocabulary: Vocabulary): WrittenConfiguration {
  if (document === '') return {};
  const { value, strictErrors } = decodeDocument(document);
  const codec = codecOf(versionOf(namedKind(value, document), vocabulary));
  const found = collectStrictErrors();
  const configuration = codec.decode(value, found.report);
  rejectStrictErrors([...strictErrors, ...found.texts]);
  return configuration as WrittenConfiguration;
}

/** @throws DecodeError for an unknown kind or version */
function versionOf({ kind, apiVersion }: BodyKind, { groupDomain }: Vocabulary): string {
  const group = `apiserver.config.${groupDomain}/`;
  const version = apiVersion.startsWith(group) ? apiVersion.slice(group.length) : '';
  if (kind !== KIND || !VERSIONS.includes(version))
    throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  return version;
}

function codecOf(version: string): TypedCodec {
  const cached = codecs.get(version) ?? compileTyped(schemaOf(version));
  codecs.set(version, cached);
  return cached;
}

/** Types have names for errors. */
function schemaOf(version: string): Schema {
  const object = (name: string, properties: Readonly<Record<string, Schema>>): Schema => ({
    type: 'object',
    typeName: `apiserver.${version}.${name}`,
    properties,
  });
  const webhook = object('WebhookConfiguration', {
    authorizedTTL: duration,
    unauthorizedTTL: duration,
    timeout: duration,
    subjectAccessReviewVersion: text,
    matchConditionSubjectAccessReviewVersion: text,
    failurePolicy: text,
    connectionInfo: object('WebhookConnectionInfo', { type: text, kubeConfigFile: optional }),
    matchConditions: { type: 'array', items: object('WebhookMatchCondition', { expression: text }) },
  });
  const authorizer = object('AuthorizerConfiguration', {
    type: text,
    name: text,
    webhook: { ...webhook, optional: true },
  });
  return object(KIND, { kind: text, apiVersion: text, authorizers: { type: 'array', items: authorizer } });
}
