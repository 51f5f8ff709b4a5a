import {
  type ApiObject,
  groupName,
  type LabelSelectorObject,
  labelSelectorText,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import {
  validatingAdmissionPolicyBindingSchema,
  validatingAdmissionPolicySchema,
} from '../shapes/admissionregistration/admission-policies.ts';
import { specOf, workloadType } from '../workload-type.ts';

/** Expressions that may reject writes. */
interface Policy extends ApiObject {
  readonly spec?: {
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
    readonly validations?: readonly object[];
  };
}

/** Policies, stored only (semantics/verbs#kinds, semantics/tables#built-in-columns). */
export function validatingAdmissionPolicies(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'admissionregistration.'),
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    scope: 'Cluster',
    schema: validatingAdmissionPolicySchema,
    columns: [
      nameColumn,
      integerColumn(
        'Validations',
        'How many expressions it has.',
        ({ spec }: Policy) => spec?.validations?.length,
      ),
      column('ParamKind', 'Kind of its parameters.', ({ spec }: Policy) =>
        spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>',
      ),
      ageColumn,
    ],
    status: {
      restoredMetadata: ({ labels, annotations, finalizers, ownerReferences }) => ({
        labels,
        annotations,
        finalizers,
        ownerReferences,
      }),
      resetFields: [['spec'], ['metadata']],
    },
    counted: specOf,
    strategy: { allowsUnconditionalUpdate: false },
  });
}

/** Where a policy applies. */
interface Binding extends ApiObject {
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelectorObject;
    };
  };
}

/** Bindings of policies, stored only. */
export function validatingAdmissionPolicyBindings(vocabulary: Vocabulary): ResourceDefinition {
  return workloadType({
    group: groupName(vocabulary, 'admissionregistration.'),
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    scope: 'Cluster',
    schema: validatingAdmissionPolicyBindingSchema,
    columns: [
      nameColumn,
      column('PolicyName', 'The policy.', ({ spec }: Binding) => spec?.policyName ?? ''),
      column('ParamRef', 'Its parameters.', paramText),
      ageColumn,
    ],
    counted: specOf,
    strategy: { allowsUnconditionalUpdate: false },
  });
}

function paramText({ spec }: Binding): string {
  const reference = spec?.paramRef;
  if (!reference) return '<unset>';
  const { name, namespace, selector } = reference;
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? labelSelectorText(selector) : '<unset>';
}
