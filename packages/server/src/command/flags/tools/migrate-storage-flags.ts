import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import { text } from '../flag-kinds.ts';
import type { FlagTableOf } from '../flags.ts';
import { vocabularyFlag } from '../vocabulary-flag.ts';

const GROUP = 'Migrating stored objects';

/** Flags of `ashlar migrate-storage`. */
export interface MigrateStorageFlags {
  readonly kubeconfig?: string;
  readonly vocabulary?: Vocabulary;
}

/** The flags of `ashlar migrate-storage`. */
export const migrateStorageFlags: FlagTableOf<MigrateStorageFlags> = {
  kubeconfig: text(GROUP, 'FILE', 'configuration of the connection (default: those that KUBECONFIG names)'),
  vocabulary: {
    ...vocabularyFlag(GROUP),
    meaning: `names of groups of the server (default ${kubernetesVocabulary.name})`,
  },
};
