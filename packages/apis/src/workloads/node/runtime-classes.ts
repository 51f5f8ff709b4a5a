import {
  type ApiObject,
  dns1123LabelErrors,
  type FieldError,
  groupName,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { follows, unchanged } from '../field-rules.ts';
import { runtimeClassSchema } from '../shapes/node/runtime-class.ts';
import { workloadType } from '../workload-type.ts';

/** A configuration to run containers. */
interface RuntimeClass extends ApiObject {
  readonly handler?: string;
}

/** Runtime classes. */
export function runtimeClasses(vocabulary: Vocabulary): ResourceDefinition {
  const validate = ({ handler = '' }: RuntimeClass): readonly FieldError[] =>
    follows('handler', handler, dns1123LabelErrors);
  return workloadType({
    group: groupName(vocabulary, 'node.'),
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    scope: 'Cluster',
    schema: runtimeClassSchema,
    columns: [
      nameColumn,
      column('Handler', 'What runs the containers.', ({ handler = '' }: RuntimeClass) => handler),
      ageColumn,
    ],
    strategy: {
      updateChecks: ['whole', 'object', 'change'],
      qualifiedFinalizers: false,
      allowsCreateOnUpdate: true,
      allowsUnconditionalUpdate: false,
      validate,
      validateUpdate: (object: RuntimeClass, stored: RuntimeClass) =>
        unchanged('handler', object.handler, stored.handler),
    },
  });
}
