import type { Schema } from '@ashlar/core';

const text: Schema = { type: 'string' };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** The schema of the configuration in a version; types have names for errors. */
export function authenticationConfigurationSchema(version: string): Schema {
  const object = (name: string, properties: Readonly<Record<string, Schema>>): Schema => ({
    type: 'object',
    typeName: `apiserver.${version}.${name}`,
    properties,
  });
  const mapping = object('PrefixedClaimOrExpression', {
    claim: text,
    prefix: { ...text, optional: true },
    expression: text,
  });
  const jwt = object('JWTAuthenticator', {
    issuer: object('Issuer', {
      url: text,
      discoveryURL: { ...text, optional: true },
      certificateAuthority: text,
      audiences: listOf(text),
      audienceMatchPolicy: text,
    }),
    claimValidationRules: listOf(
      object('ClaimValidationRule', { claim: text, requiredValue: text, expression: text, message: text }),
    ),
    claimMappings: object('ClaimMappings', {
      username: mapping,
      groups: mapping,
      uid: object('ClaimOrExpression', { claim: text, expression: text }),
      extra: listOf(object('ExtraMapping', { key: text, valueExpression: text })),
    }),
    userValidationRules: listOf(object('UserValidationRule', { expression: text, message: text })),
  });
  const anonymous = object('AnonymousAuthConfig', {
    enabled: { type: 'boolean' },
    conditions: listOf(object('AnonymousAuthCondition', { path: text })),
  });
  return object('AuthenticationConfiguration', {
    kind: text,
    apiVersion: text,
    jwt: listOf(jwt),
    anonymous: { ...anonymous, optional: true },
  });
}
