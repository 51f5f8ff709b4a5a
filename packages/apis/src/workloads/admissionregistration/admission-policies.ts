import {
  type Policy,
  type PolicyBinding,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
  validatingBindingErrorsSteps,
  validatingPolicyErrorsSteps,
} from '@ashlar/admission';
import { groupName, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { integerColumn } from '../cells.ts';
import { restoredMetadata } from '../restored-metadata.ts';
import {
  validatingAdmissionPolicyBindingSchema,
  validatingAdmissionPolicySchema,
} from '../shapes/admissionregistration/admission-policies.ts';
import { specOf, workloadType } from '../workload-type.ts';
import { labelSelectorSyntax } from './label-selector-syntax.ts';
import { policyStatusErrors } from './policy-status.ts';

/** Policies that validate writes (semantics/verbs#kinds, semantics/tables#built-in-columns). */
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
        ({ spec }: ValidatingAdmissionPolicy) => spec?.validations?.length,
      ),
      column('ParamKind', 'Kind of its parameters.', paramKindText),
      ageColumn,
    ],
    status: {
      restoredMetadata,
      updateChecks: [],
      validate: policyStatusErrors,
      resetFields: [['spec'], ['metadata']],
    },
    counted: specOf,
    strategy: {
      updateChecks: ['metadata'],
      qualifiedFinalizers: false,
      allowsUnconditionalUpdate: false,
      validateSteps: (object) => validatingPolicyErrorsSteps(object, vocabulary),
      validateUpdateSteps: (object, stored) => validatingPolicyErrorsSteps(object, vocabulary, stored),
    },
  });
}

/** Bindings of policies: where they apply. */
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
      column(
        'PolicyName',
        'The policy.',
        ({ spec }: ValidatingAdmissionPolicyBinding) => spec?.policyName ?? '',
      ),
      column('ParamRef', 'Its parameters.', paramRefText),
      ageColumn,
    ],
    counted: specOf,
    strategy: {
      updateChecks: ['metadata'],
      qualifiedFinalizers: false,
      allowsUnconditionalUpdate: false,
      validateSteps: (object) => validatingBindingErrorsSteps(object),
      validateUpdateSteps: (object) => validatingBindingErrorsSteps(object),
    },
  });
}

/** The cell of a binding that shows its parameters. */
export function paramRefText({ spec }: PolicyBinding): string {
  const reference = spec?.paramRef;
  if (!reference) return '<unset>';
  const { name, namespace, selector } = reference;
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? labelSelectorSyntax(selector) : '<unset>';
}

/** The cell of a policy that shows the kind of its parameters. */
export function paramKindText({ spec }: Policy): string {
  return spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';
}
