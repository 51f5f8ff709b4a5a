import {
  type ApiObject,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  groupName,
  type Steps,
  type Vocabulary,
  validateLabels,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { eachSteps, follows, NO_ERRORS, unchanged } from '../field-rules.ts';
import { resourceErrors } from '../pods/container-resources.ts';
import type { ResourceList } from '../pods/container-types.ts';
import { nodeLabelWarning } from '../pods/node-label-warnings.ts';
import type { Toleration } from '../pods/placement-types.ts';
import { tolerationErrors } from '../pods/tolerations.ts';
import { runtimeClassSchema } from '../shapes/node/runtime-class.ts';
import { workloadType } from '../workload-type.ts';

/** A configuration to run containers. */
interface RuntimeClass extends ApiObject {
  readonly handler?: string;
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}

const NO_CLAIMS: ReadonlySet<string> = new Set();

/** Errors of tolerations name a list in the list; the same one may not be there twice. */
function* runtimeTolerationsErrorsSteps(
  tolerations: readonly Toleration[] | undefined,
  path: string,
): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return [
    ...(yield* eachSteps(`${path}.tolerations`, tolerations, tolerationErrors)),
    ...(yield* eachSteps(path, tolerations, (toleration, at) => {
      const { key = '', operator = '', value = '', effect = '' } = toleration;
      const text = JSON.stringify([key, operator, value, effect]);
      const isRepeated = seen.has(text);
      seen.add(text);
      return isRepeated ? [FieldErrors.duplicate(at, toleration)] : NO_ERRORS;
    })),
  ];
}

/** Runtime classes. */
export function runtimeClasses(vocabulary: Vocabulary): ResourceDefinition {
  const validateSteps = function* ({
    handler = '',
    overhead,
    scheduling,
  }: RuntimeClass): Steps<readonly FieldError[]> {
    return [
      ...follows('handler', handler, dns1123LabelErrors),
      ...resourceErrors({ limits: overhead?.podFixed ?? {} }, { vocabulary, claims: NO_CLAIMS }, 'overhead'),
      ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
      ...(yield* runtimeTolerationsErrorsSteps(scheduling?.tolerations, 'scheduling.tolerations')),
    ];
  };
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
      updateChecks: ['metadata', 'object', 'metadata-change'],
      qualifiedFinalizers: false,
      allowsCreateOnUpdate: true,
      allowsUnconditionalUpdate: false,
      validateSteps,
      warnings: ({ scheduling }: RuntimeClass) =>
        Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
          const why = nodeLabelWarning(key, vocabulary);
          return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
        }),
      validateUpdate: (object: RuntimeClass, stored: RuntimeClass) =>
        unchanged('handler', object.handler ?? '', stored.handler ?? ''),
    },
  });
}
