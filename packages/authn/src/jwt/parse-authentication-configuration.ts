import { type BodyKind, DecodeError, decodeDocument, namedKind, rejectStrictErrors } from '@ashlar/codec';
import { goQuote, type Vocabulary } from '@ashlar/core';
import { collectStrictErrors, compileTyped, type TypedCodec } from '@ashlar/schema';
import type { AuthenticationConfiguration } from './authentication-configuration.ts';
import { InvalidConfigurationError } from './authentication-configuration.ts';
import { authenticationConfigurationSchema } from './authentication-configuration-schema.ts';
import { validateAuthenticationConfiguration } from './validate-authentication-configuration.ts';

export interface ParseConfigurationOptions {
  readonly vocabulary: Vocabulary;
  /** Issuers that no configuration may name: those of service account tokens. */
  readonly disallowedIssuers?: readonly string[];
}

const KIND = 'AuthenticationConfiguration';
const VERSIONS = ['v1beta1', 'v1alpha1'];

/**
 * Parses a configuration in JSON or YAML, of the versions `v1beta1` and `v1alpha1`, and validates it with all
 * its expressions (semantics/access#jwt).
 *
 * @throws DecodeError if the document is invalid, of another kind or has unknown fields
 * @throws TypedDecodeError if a field is of a wrong type
 * @throws InvalidConfigurationError if it is invalid
 * @example
 * const { jwt = [] } = parseAuthenticationConfiguration(text, { vocabulary });
 * const authenticators = jwt.map((each) => createJwtAuthenticator({ ambient, transport, configuration: each
 * }));
 */
export function parseAuthenticationConfiguration(
  document: string,
  { vocabulary, disallowedIssuers = [] }: ParseConfigurationOptions,
): AuthenticationConfiguration {
  const configuration = decode(document, vocabulary);
  const errors = validateAuthenticationConfiguration(configuration, vocabulary, disallowedIssuers);
  if (errors.length > 0) throw new InvalidConfigurationError(errors);
  return configuration;
}

const codecs = new Map<string, TypedCodec>();

function codecOf(version: string): TypedCodec {
  const cached = codecs.get(version) ?? compileTyped(authenticationConfigurationSchema(version));
  codecs.set(version, cached);
  return cached;
}

function decode(document: string, vocabulary: Vocabulary): AuthenticationConfiguration {
  if (document === '') throw new DecodeError('empty config data');
  const { value, strictErrors } = decodeDocument(document);
  const version = versionOf(namedKind(value, document), vocabulary);
  const found = collectStrictErrors();
  const configuration = codecOf(version).decode(value, found.report);
  rejectStrictErrors([...strictErrors, ...found.texts]);
  return configuration as AuthenticationConfiguration;
}

/** @throws DecodeError for an unknown kind or version */
function versionOf({ kind, apiVersion }: BodyKind, vocabulary: Vocabulary): string {
  const group = `apiserver.config.${vocabulary.groupDomain}/`;
  const version = apiVersion.startsWith(group) ? apiVersion.slice(group.length) : '';
  if (kind !== KIND || !VERSIONS.includes(version))
    throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  return version;
}
