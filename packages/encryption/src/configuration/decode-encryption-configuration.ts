import { DecodeError, decodeDocument, namedKind, rejectStrictErrors } from '@ashlar/codec';
import { goQuote, type JsonValue, type Vocabulary } from '@ashlar/core';
import { collectStrictErrors, compileTyped, type TypedCodec } from '@ashlar/schema';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import {
  encryptionConfigurationSchema,
  otherConfigurationSchema,
  type WrittenEncryptionConfiguration,
} from './written-encryption-configuration.ts';

const KIND = 'EncryptionConfiguration';

/** The kind and version that were once documented by mistake: they are read as well. */
const FORMER = { kind: 'EncryptionConfig', apiVersion: 'v1' };

/** Other kinds of the same version, with their one field: they are decoded before they are refused. */
const OTHER_KINDS: ReadonlyMap<string, string> = new Map([
  ['AdmissionConfiguration', 'plugins'],
  ['AuthorizationConfiguration', 'authorizers'],
]);

const codecs = new Map<string, TypedCodec>();

/**
 * Decodes a configuration strictly, in JSON or YAML.
 * @throws DecodeError if it is malformed, or has unknown fields
 * @throws EncryptionConfigurationError if it is of another kind
 */
export function decodeEncryptionConfiguration(
  document: Uint8Array,
  vocabulary: Vocabulary,
): WrittenEncryptionConfiguration {
  const { value, strictErrors } = decodeDocument(document);
  const { kind, apiVersion } = knownKind(value, document, vocabulary);
  const found = collectStrictErrors();
  const configuration = codecOf(kind).decode(value, found.report);
  rejectStrictErrors([...strictErrors, ...found.texts]);
  if (kind !== KIND)
    throw new EncryptionConfigurationError(
      `error while parsing file: got unexpected config type: ${apiVersion}, Kind=${kind}`,
    );
  return configuration as WrittenEncryptionConfiguration;
}

/** @throws DecodeError for an unknown kind or version */
function knownKind(
  value: JsonValue,
  document: Uint8Array,
  { groupDomain }: Vocabulary,
): { readonly kind: string; readonly apiVersion: string } {
  const { kind, apiVersion } = namedKind(value, document);
  if (kind === FORMER.kind && apiVersion === FORMER.apiVersion) return { kind: KIND, apiVersion };
  const isKnown = kind === KIND || OTHER_KINDS.has(kind);
  if (!isKnown || apiVersion !== `apiserver.config.${groupDomain}/v1`)
    throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  return { kind, apiVersion };
}

function codecOf(kind: string): TypedCodec {
  const field = OTHER_KINDS.get(kind);
  const schema = field === undefined ? encryptionConfigurationSchema : otherConfigurationSchema(kind, field);
  const codec = codecs.get(kind) ?? compileTyped(schema);
  codecs.set(kind, codec);
  return codec;
}
