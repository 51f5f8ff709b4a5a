import { StatusError, systemNamespace, type UserInfo, type Vocabulary } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { systemContext } from './system-context.ts';

/** Creates the system namespaces and `default` where they are missing (semantics/lifecycle#namespaces). */
export async function bootstrapNamespaces(
  { decoder, storage }: ServedResource,
  user: UserInfo,
  vocabulary: Vocabulary,
): Promise<void> {
  const system = (['system', 'public', 'node-lease'] as const).map((suffix) =>
    systemNamespace(vocabulary, suffix),
  );
  for (const name of ['default', ...system]) {
    try {
      const object = decoder.decode(
        { metadata: { name } },
        { fieldValidation: 'Ignore', findings: [], warn: () => {} },
      );
      await storage.create?.(systemContext(user, '', 'v1'), object);
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
