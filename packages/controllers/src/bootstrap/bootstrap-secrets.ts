import { bootstrapSecretType } from '@ashlar/authn';
import type { Client, ResourceClient, SelectionOptions } from '@ashlar/client';
import { systemNamespace, type Vocabulary } from '@ashlar/core';

/** The secrets that include bootstrap tokens. */
export function bootstrapSecrets(client: Client, vocabulary: Vocabulary): ResourceClient {
  return client
    .resource({ group: '', version: 'v1', resource: 'secrets', kind: 'Secret' })
    .namespace(systemNamespace(vocabulary, 'system'));
}

/** Selects bootstrap tokens. */
export const ofBootstrapTokens = (vocabulary: Vocabulary): Pick<SelectionOptions, 'fieldSelector'> => ({
  fieldSelector: `type=${bootstrapSecretType(vocabulary)}`,
});
