import {
  type ApiObject,
  choiceErrors,
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  groupName,
  utf8Length,
  type Vocabulary,
  validateDomainPrefixedPath,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { follows, unchanged } from '../field-rules.ts';
import { ingressClassSchema } from '../shapes/networking/ingress-class.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { typedReferenceErrors } from './ingresses.ts';

const LONGEST_CONTROLLER_BYTES = 250;

interface Parameters {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly scope?: string;
  readonly namespace?: string;
}

/** The controller of an ingress. */
interface IngressClass extends ApiObject {
  readonly spec?: { readonly controller?: string; readonly parameters?: Parameters };
}

/** Classes of ingresses. */
export function ingressClasses(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'networking.'),
    kind: 'IngressClass',
    plural: 'ingressclasses',
    scope: 'Cluster',
    schema: ingressClassSchema,
    columns: [
      nameColumn,
      column('Controller', 'Who serves it.', ({ spec }: IngressClass) => spec?.controller ?? ''),
      column('Parameters', 'Where its settings are.', parametersText),
      ageColumn,
    ],
    counted: specOf,
    strategy: {
      updateChecks: ['metadata-change', 'change', 'metadata', 'object'],
      validate,
      validateUpdate: (object: IngressClass, stored: IngressClass) =>
        unchanged('spec.controller', object.spec?.controller ?? '', stored.spec?.controller ?? ''),
    },
  });
}

function parametersText({ spec }: IngressClass): string {
  const { kind = '', apiGroup, name = '' } = spec?.parameters ?? {};
  if (!spec?.parameters) return '<none>';
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

function validate({ spec = {} }: IngressClass): readonly FieldError[] {
  const { controller = '', parameters } = spec;
  return [
    ...(utf8Length(controller) > LONGEST_CONTROLLER_BYTES
      ? [FieldErrors.tooLong('spec.controller', LONGEST_CONTROLLER_BYTES)]
      : []),
    ...validateDomainPrefixedPath('spec.controller', controller),
    ...(parameters ? parametersErrors(parameters, 'spec.parameters') : []),
  ];
}

function parametersErrors(parameters: Parameters, path: string): readonly FieldError[] {
  const { scope, namespace } = parameters;
  const at = `${path}.namespace`;
  return [
    ...typedReferenceErrors(parameters, path),
    ...(scope === undefined
      ? [FieldErrors.required(`${path}.scope`)]
      : choiceErrors(`${path}.scope`, scope, ['Cluster', 'Namespace'])),
    ...(scope === 'Namespace'
      ? namespace === undefined
        ? [FieldErrors.required(at, "`parameters.scope` is set to 'Namespace'")]
        : follows(at, namespace, dns1123LabelErrors)
      : []),
    ...(scope === 'Cluster' && namespace !== undefined
      ? [FieldErrors.forbidden(at, "`parameters.scope` is set to 'Cluster'")]
      : []),
  ];
}
