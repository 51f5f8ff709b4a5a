import { StatusError, systemNamespace, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { RequestContext, ResourceStorage } from '@ashlar/registry';

/** Makes the namespaces that every server has, as far as they are not there (semantics M1). */
export async function bootstrapNamespaces(
  namespaces: ResourceStorage,
  user: UserInfo,
  vocabulary: Vocabulary,
): Promise<void> {
  const system = (['system', 'public', 'node-lease'] as const).map((suffix) =>
    systemNamespace(vocabulary, suffix),
  );
  for (const name of ['default', ...system]) {
    try {
      await namespaces.create?.(contextOf(user), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}

function contextOf(user: UserInfo): RequestContext {
  const nothing = (): void => {};
  return {
    user,
    namespace: '',
    version: 'v1',
    dryRun: false,
    fieldManager: user.name,
    warn: nothing,
    annotate: nothing,
    authorizeCreate: async () => {},
  };
}
