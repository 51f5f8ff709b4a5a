import type { ApiObject, FieldError, Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { nonNegative, requiredWhen, unchanged } from '../field-rules.ts';
import { controllerRevisionSchema } from '../shapes/apps/controller-revision.ts';
import { workloadType } from '../workload-type.ts';

/** A former desired state of a controller. */
interface ControllerRevision extends ApiObject {
  readonly data?: unknown;
  readonly revision?: number;
}

/** Controller revisions, whose data never change. */
export function controllerRevisions(_vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: 'apps',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    scope: 'Namespaced',
    schema: controllerRevisionSchema,
    columns: [
      nameColumn,
      column('Controller', 'Whose revision it is.', controllerText),
      column('Revision', 'Its number.', ({ revision }: ControllerRevision) => revision ?? 0),
      ageColumn,
    ],
    strategy: {
      validate,
      validateUpdate: (object: ControllerRevision, stored: ControllerRevision) => [
        ...nonNegative('revision', object.revision),
        ...unchanged('data', object.data, stored.data),
      ],
    },
  });
}

function controllerText({ metadata }: ApiObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const slash = owner.apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  return `${owner.kind}${group}`.toLowerCase().concat('/', owner.name);
}

function validate({ data, revision }: ControllerRevision): readonly FieldError[] {
  return [
    ...nonNegative('revision', revision),
    ...requiredWhen(data === undefined || data === null, 'data', 'data is mandatory'),
    ...requiredWhen(isNoObject(data), 'data', 'data must be a valid JSON object'),
  ];
}

const isNoObject = (data: unknown): boolean =>
  data !== undefined && data !== null && (typeof data !== 'object' || Array.isArray(data));
