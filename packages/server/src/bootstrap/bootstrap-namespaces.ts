import { systemNamespace, type Vocabulary } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { createMissing } from './create-missing.ts';
import { ownLabel } from './owned-fields.ts';

/** Creates the system namespaces and `default` if they are missing (semantics/lifecycle#namespaces). */
export async function bootstrapNamespaces(namespaces: ServedResource, vocabulary: Vocabulary): Promise<void> {
  const system = (['system', 'public', 'node-lease'] as const).map((suffix) =>
    systemNamespace(vocabulary, suffix),
  );
  await createMissing(
    namespaces,
    ['default', ...system].map((name) => ({ metadata: { name } })),
    { ownedFields: ownLabel(`${vocabulary.labelDomain}/metadata.name`) },
  );
}
