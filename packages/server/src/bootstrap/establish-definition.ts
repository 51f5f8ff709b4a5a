import { type ApiObject, groupName } from '@ashlar/core';
import type { ApiServer } from '../assembly/api-server.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

interface Definition extends ApiObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const FIELD_MANAGER = 'ashlar-serve';
/** Definitions are established within milliseconds, by this server or another one with the same storage. */
const WAIT_SECONDS = 30;

/**
 * Stores a custom resource definition, as an apply does, and waits until its resources are served. What others have added to a stored definition
 * stays.
 * @throws StatusError if the server rejects it; Error if its names are taken, or nothing establishes it
 */
export async function establishDefinition(
  { client, vocabulary }: Pick<ApiServer, 'client' | 'vocabulary'>,
  definition: ApiObject,
): Promise<void> {
  const definitions = client.resource<Definition>({
    group: groupName(vocabulary, 'apiextensions.'),
    version: 'v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  });
  const { name = '' } = definition.metadata;
  await definitions.apply(definition, { fieldManager: FIELD_MANAGER, force: true });
  const watched = { fieldSelector: `metadata.name=${name}`, timeoutSeconds: WAIT_SECONDS };
  for await (const { object } of definitions.watch(watched)) if (isEstablished(object)) return;
  throw new Error(`${name} was not established within ${WAIT_SECONDS} seconds`);
}

/** @throws Error if the names of a definition are taken */
function isEstablished({ status }: Definition): boolean {
  const refused = status?.conditions?.find(
    (condition) => condition.type === 'NamesAccepted' && condition.status === 'False',
  );
  if (refused) throw new Error(refused.message);
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
}
