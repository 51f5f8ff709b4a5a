import {
  type MutatingAdmissionPolicy,
  type MutatingAdmissionPolicyBinding,
  mutatingBindingErrorsSteps,
  mutatingPolicyErrorsSteps,
} from '@ashlar/admission';
import { groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import {
  mutatingAdmissionPolicyBindingSchema,
  mutatingAdmissionPolicySchema,
} from '../shapes/admissionregistration/mutating-admission-policies.ts';
import { specOf, type WorkloadType, workloadType } from '../workload-type.ts';
import { paramKindText, paramRefText } from './admission-policies.ts';

/** An alpha type: the runtime configuration has to switch its version on. */
function alphaType(
  vocabulary: Vocabulary,
  type: Pick<WorkloadType, 'kind' | 'plural' | 'schema' | 'columns' | 'strategy'>,
): ResourceDefinition {
  const definition = workloadType({
    ...type,
    group: groupName(vocabulary, 'admissionregistration.'),
    version: 'v1alpha1',
    categories: ['api-extensions'],
    scope: 'Cluster',
    counted: specOf,
  });
  return { ...definition, versions: definition.versions.map((version) => ({ ...version, served: false })) };
}

/**
 * Policies that change writes (semantics/admission#mutatingadmissionpolicy): for servers with the feature gate MutatingAdmissionPolicy, whose
 * runtime configuration names `admissionregistration…/v1alpha1`.
 */
export function mutatingAdmissionPolicies(vocabulary: Vocabulary): ResourceDefinition {
  return alphaType(vocabulary, {
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    schema: mutatingAdmissionPolicySchema,
    columns: [
      nameColumn,
      integerColumn(
        'Mutations',
        'How many expressions it has.',
        ({ spec }: MutatingAdmissionPolicy) => spec?.mutations?.length,
      ),
      column('ParamKind', 'Kind of its parameters.', paramKindText),
      ageColumn,
    ],
    strategy: {
      updateChecks: ['metadata'],
      qualifiedFinalizers: false,
      allowsUnconditionalUpdate: false,
      validateSteps: (object) => mutatingPolicyErrorsSteps(object, vocabulary),
      validateUpdateSteps: (object, stored) => mutatingPolicyErrorsSteps(object, vocabulary, stored),
    },
  });
}

/** Bindings of mutating policies: where they apply. */
export function mutatingAdmissionPolicyBindings(vocabulary: Vocabulary): ResourceDefinition {
  return alphaType(vocabulary, {
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    schema: mutatingAdmissionPolicyBindingSchema,
    columns: [
      nameColumn,
      column(
        'PolicyName',
        'The policy.',
        ({ spec }: MutatingAdmissionPolicyBinding) => spec?.policyName ?? '',
      ),
      column('ParamRef', 'Its parameters.', paramRefText),
      ageColumn,
    ],
    strategy: {
      updateChecks: ['metadata'],
      qualifiedFinalizers: false,
      allowsUnconditionalUpdate: false,
      validateSteps: (object) => mutatingBindingErrorsSteps(object),
      validateUpdateSteps: (object) => mutatingBindingErrorsSteps(object),
    },
  });
}
