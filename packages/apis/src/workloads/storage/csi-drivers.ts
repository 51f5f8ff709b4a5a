import {
  type ApiObject,
  choiceErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  groupName,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { booleanColumn } from '../cells.ts';
import { each, invalidWhen, unchanged } from '../field-rules.ts';
import { csiDriverSchema } from '../shapes/storage/csi-driver.ts';
import { specOf, workloadType } from '../workload-type.ts';

interface Spec {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly storageCapacity?: boolean;
  readonly requiresRepublish?: boolean;
  readonly fsGroupPolicy?: string;
  readonly volumeLifecycleModes?: readonly string[];
  readonly tokenRequests?: readonly { readonly audience?: string; readonly expirationSeconds?: number }[];
}

/** A volume driver. */
interface CsiDriver extends ApiObject {
  readonly spec?: Spec;
}

const flag =
  (name: 'attachRequired' | 'podInfoOnMount' | 'storageCapacity' | 'requiresRepublish', unsaid: boolean) =>
  ({ spec }: CsiDriver): boolean =>
    spec?.[name] ?? unsaid;

/** Volume drivers. */
export function csiDrivers(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'storage.'),
    kind: 'CSIDriver',
    plural: 'csidrivers',
    scope: 'Cluster',
    schema: csiDriverSchema,
    columns: [
      nameColumn,
      booleanColumn('AttachRequired', 'Whether volumes are attached first.', flag('attachRequired', true)),
      booleanColumn('PodInfoOnMount', 'Whether it receives pod information.', flag('podInfoOnMount', false)),
      booleanColumn('StorageCapacity', 'Whether it tells what is left.', flag('storageCapacity', false)),
      column('TokenRequests', 'For whom it needs tokens.', ({ spec }: CsiDriver) =>
        spec?.tokenRequests ? spec.tokenRequests.map(({ audience = '' }) => audience).join(',') : '<unset>',
      ),
      booleanColumn(
        'RequiresRepublish',
        'Whether it is called again and again.',
        flag('requiresRepublish', false),
      ),
      column(
        'Modes',
        'Whose lives its volumes share.',
        ({ spec }: CsiDriver) => (spec?.volumeLifecycleModes ?? []).join(',') || '<none>',
      ),
      ageColumn,
    ],
    counted: specOf,
    firstGeneration: undefined,
    strategy: {
      allowsUnconditionalUpdate: false,
      returnsDeletedObject: true,
      updateChecks: ['metadata-change'],
      validate: ({ spec = {} }: CsiDriver) => specErrors(spec),
      validateUpdate: ({ spec = {} }: CsiDriver, { spec: was = {} }: CsiDriver) => [
        ...specErrors(spec),
        ...unchanged('spec.attachedRequired', spec.attachRequired, was.attachRequired),
        ...unchanged('spec.volumeLifecycleModes', spec.volumeLifecycleModes, was.volumeLifecycleModes),
      ],
    },
  });
}

const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

function specErrors({ fsGroupPolicy, tokenRequests, volumeLifecycleModes }: Spec): readonly FieldError[] {
  const audiences = new Set<string>();
  return [
    ...choiceErrors('spec.fsGroupPolicy', fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...each('spec.tokenRequests', tokenRequests, ({ audience = '', expirationSeconds: seconds }, path) => {
      if (audiences.has(audience)) return [FieldErrors.duplicate(`${path}.audience`, audience)];
      audiences.add(audience);
      return [
        ...(seconds !== undefined && seconds < LEAST_SECONDS
          ? [
              FieldErrors.invalid(
                `${path}.expirationSeconds`,
                seconds,
                'may not specify a duration less than 10 minutes',
              ),
            ]
          : []),
        ...invalidWhen(
          seconds !== undefined && seconds > MOST_SECONDS,
          `${path}.expirationSeconds`,
          seconds,
          'may not specify a duration larger than 2^32 seconds',
        ),
      ];
    }),
    ...fieldErrorsOf(volumeLifecycleModes ?? [], (mode) =>
      choiceErrors('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']),
    ),
  ];
}
