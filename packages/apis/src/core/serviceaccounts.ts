import type { ApiObject, Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { builtInType } from '../types/built-in-type.ts';
import { ageColumn, column, nameColumn } from '../types/columns.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { atomic, boolean, keyedBy, list, optional } from '../types/schema-fields.ts';
import { localObjectReference, type ObjectReference, objectReference } from './object-reference.ts';
import { type TokenRequestOptions, tokenRequest } from './token-request.ts';

/** The identity of programs (semantics/access#service-accounts). */
export interface ServiceAccount extends ApiObject {
  readonly secrets?: readonly ObjectReference[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly automountServiceAccountToken?: boolean;
}

const schema = kindSchema('api.core.v1.ServiceAccount', 'The identity of programs.', {
  secrets: list(
    2,
    'Secrets that belong to the account; of each only the name is kept.',
    objectReference,
    keyedBy('name'),
  ),
  imagePullSecrets: list(3, 'Secrets with which images are fetched.', localObjectReference, atomic),
  automountServiceAccountToken: optional(boolean(4, 'Whether programs get a token without asking.')),
});

/** The default account of pods, which each namespace has. */
export const DEFAULT_SERVICE_ACCOUNT = 'default';

/** The annotation of accounts that limits their pods to the account's secrets. */
export const enforcingAnnotation = ({ labelDomain }: Vocabulary): string =>
  `${labelDomain}/enforce-mountable-secrets`;

/**
 * Service accounts.
 * @param tokens options of token requests; without it they have no `token` subresource
 */
export function serviceAccounts(vocabulary: Vocabulary, tokens?: TokenRequestOptions): ResourceDefinition {
  const deprecated = enforcingAnnotation(vocabulary);
  return builtInType({
    group: '',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    scope: 'Namespaced',
    ...(tokens && { actions: [tokenRequest(vocabulary, tokens)] }),
    version: {
      schema,
      columns: [nameColumn, column('Secrets', 'Number of secrets.', countSecrets), ageColumn],
    },
    strategy: {
      returnsDeletedObject: true,
      prepareForCreate: withNamedSecrets,
      prepareForUpdate: withNamedSecrets,
      warnings: (object, stored) => deprecationWarnings(object, stored, deprecated),
    },
  });
}

const countSecrets = ({ secrets = [] }: ServiceAccount): number => secrets.length;

function withNamedSecrets(object: ServiceAccount): ServiceAccount {
  if (!object.secrets) return object;
  return { ...object, secrets: object.secrets.map(({ name }) => (name ? { name } : {})) };
}

function deprecationWarnings(
  object: ApiObject,
  stored: ApiObject | undefined,
  annotation: string,
): readonly string[] {
  const has = (of: ApiObject | undefined): boolean => of?.metadata.annotations?.[annotation] !== undefined;
  if (!has(object) || has(stored)) return [];
  return [
    `metadata.annotations[${annotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}
