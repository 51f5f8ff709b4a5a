import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { isIn, malformedSelectorValues } from '../inherited/inherited-selectors.ts';
import { persistentVolumeClaimSchema } from '../shapes/core/persistent-volume-claim.ts';
import { workloadType } from '../workload-type.ts';
import { withDataSources, withoutClasses } from './claim-sources.ts';
import { type Claim, claimStatusErrors, claimUpdateErrors } from './claim-updates.ts';
import { claimErrors } from './claim-validation.ts';
import { claimWarnings, storageClassWarnings } from './claim-warnings.ts';
import { accessModesText, storageClassText } from './volume-columns.ts';

/** Claims of persistent volumes. */
export function persistentVolumeClaims(vocabulary: Vocabulary): ResourceDefinition {
  const { labelDomain } = vocabulary;
  const bound = ({ spec }: Claim): boolean => Boolean(spec?.volumeName);
  return workloadType({
    group: '',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    scope: 'Namespaced',
    schema: persistentVolumeClaimSchema,
    columns: [
      nameColumn,
      column('Status', 'Whether it was met.', ({ metadata, status }: Claim) =>
        metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      ),
      column('Volume', 'The volume that it has.', ({ spec }: Claim) => spec?.volumeName ?? ''),
      column('Capacity', 'How much that holds.', (claim: Claim) =>
        bound(claim) ? (claim.status?.capacity?.storage ?? '0') : '',
      ),
      column('Access Modes', 'How that may be mounted.', (claim: Claim) =>
        bound(claim) ? accessModesText(claim.status?.accessModes) : '',
      ),
      column('StorageClass', 'The kind of storage that it asks for.', ({ metadata, spec }: Claim) =>
        storageClassText(metadata.annotations, spec?.storageClassName, labelDomain),
      ),
      column('VolumeAttributesClass', 'Its class of attributes.', ({ spec }: Claim) =>
        orElse(spec?.volumeAttributesClassName, '<unset>'),
      ),
      ageColumn,
      wide(
        column('VolumeMode', 'File system or block device.', ({ spec }: Claim) =>
          orElse(spec?.volumeMode, '<unset>'),
        ),
      ),
    ],
    status: { prepare: withoutClasses, validate: (claim) => claimStatusErrors(claim, vocabulary) },
    inherits: [malformedSelectorValues(isIn('spec.selector'))],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change', 'metadata'],
      returnsDeletedObject: true,
      warnings: ({ metadata, spec = {} }: Claim) => [
        ...storageClassWarnings(metadata, vocabulary),
        ...claimWarnings(spec, 'spec'),
      ],
      prepareForCreate: (claim: Claim) => withDataSources(claim, undefined, vocabulary),
      // the phase
      isStoredIncomplete: (_, stored) => stored === undefined,
      prepareForUpdate: (claim: Claim, stored: Claim) => withDataSources(claim, stored, vocabulary),
      validate: ({ spec = {} }: Claim, stored?: Claim) => claimErrors(spec, stored?.spec),
      validateUpdate: (claim: Claim, stored: Claim) => claimUpdateErrors(claim, stored, vocabulary),
    },
  });
}
