import {
  type ApiObject,
  dns1123SubdomainErrors,
  type FieldError,
  groupName,
  type LabelSelectorObject,
  type Vocabulary,
  validateLabelSelector,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { follows, unchanged } from '../field-rules.ts';
import { isIn, malformedSelectorValues } from '../inherited/inherited-selectors.ts';
import { nodeLabelWarning, nodeSelectorTermWarnings } from '../pods/node-label-warnings.ts';
import { nonNegativeAmount } from '../resources/resource-amounts.ts';
import { csiStorageCapacitySchema } from '../shapes/storage/csi-storage-capacity.ts';
import { workloadType } from '../workload-type.ts';

/** Available storage of a class in a topology. */
interface CsiStorageCapacity extends ApiObject {
  readonly nodeTopology?: LabelSelectorObject;
  readonly storageClassName?: string;
  readonly capacity?: string;
}

/** Storage capacities. */
export function csiStorageCapacities(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'storage.'),
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    scope: 'Namespaced',
    schema: csiStorageCapacitySchema,
    inherits: [malformedSelectorValues(isIn('nodeTopology'))],
    strategy: {
      updateChecks: ['metadata', 'object', 'metadata-change', 'change'],
      allowsUnconditionalUpdate: false,
      warnings: ({ nodeTopology = {} }: CsiStorageCapacity) => selectorWarnings(nodeTopology, vocabulary),
      validate,
      validateUpdate: (object: CsiStorageCapacity, stored: CsiStorageCapacity) => [
        ...unchanged('nodeTopology', object.nodeTopology, stored.nodeTopology),
        ...unchanged('storageClassName', object.storageClassName ?? '', stored.storageClassName ?? ''),
      ],
    },
  });
}

/** Texts of Warning headers about deprecated labels of nodes. */
function selectorWarnings(selector: LabelSelectorObject, vocabulary: Vocabulary): readonly string[] {
  return [
    ...nodeSelectorTermWarnings(
      { matchExpressions: selector.matchExpressions ?? [] },
      vocabulary,
      'nodeTopology',
    ),
    ...Object.keys(selector.matchLabels ?? {}).flatMap((key) => {
      const why = nodeLabelWarning(key, vocabulary);
      return why === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${why}`];
    }),
  ];
}

function validate(object: CsiStorageCapacity): readonly FieldError[] {
  const { nodeTopology, storageClassName = '', capacity } = object;
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...follows('storageClassName', storageClassName, dns1123SubdomainErrors),
    ...(capacity === undefined ? [] : nonNegativeAmount(capacity, 'capacity')),
  ];
}
