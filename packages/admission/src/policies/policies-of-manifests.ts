import {
  type ApiObject,
  apiVersionOf,
  type FieldError,
  fieldErrorText,
  groupName,
  type Vocabulary,
} from '@ashlar/core';
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Policy,
  PolicyBinding,
  PolicySpec,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from './policy-objects.ts';
import { type BoundPolicies, MutatingPolicies, ValidatingPolicies } from './policy-source.ts';
import { validatingBindingErrors } from './validate-binding.ts';
import { mutatingBindingErrors, mutatingPolicyErrors } from './validate-mutating-policy.ts';
import { validatingPolicyErrors } from './validate-policy.ts';

/**
 * The validating policies of manifests, with their bindings.
 * @throws TypeError for one that no server would store, and for other objects
 */
export function validatingPoliciesOf(
  objects: readonly ApiObject[],
  vocabulary: Vocabulary,
): ValidatingPolicies {
  return bound(objects, new ValidatingPolicies(vocabulary), {
    ...{ vocabulary, kind: 'ValidatingAdmissionPolicy', version: 'v1' },
    policyErrors: (policy: ValidatingAdmissionPolicy) => validatingPolicyErrors(policy, vocabulary),
    bindingErrors: (binding: ValidatingAdmissionPolicyBinding) => validatingBindingErrors(binding),
  });
}

/**
 * The mutating policies of manifests, with their bindings.
 * @throws TypeError for one that no server would store, and for other objects
 */
export function mutatingPoliciesOf(objects: readonly ApiObject[], vocabulary: Vocabulary): MutatingPolicies {
  return bound(objects, new MutatingPolicies(vocabulary), {
    ...{ vocabulary, kind: 'MutatingAdmissionPolicy', version: 'v1alpha1' },
    policyErrors: (policy: MutatingAdmissionPolicy) => mutatingPolicyErrors(policy, vocabulary),
    bindingErrors: (binding: MutatingAdmissionPolicyBinding) => mutatingBindingErrors(binding),
  });
}

/** A kind of policy, and what is wrong with those of it. */
interface PolicyKind<P, B> {
  readonly vocabulary: Vocabulary;
  readonly kind: string;
  readonly version: string;
  policyErrors(policy: P): readonly FieldError[];
  bindingErrors(binding: B): readonly FieldError[];
}

function bound<
  S extends PolicySpec,
  P extends Policy<S>,
  B extends PolicyBinding,
  T extends BoundPolicies<S, unknown>,
>(
  objects: readonly ApiObject[],
  source: T,
  { vocabulary, kind, version, policyErrors, bindingErrors }: PolicyKind<P, B>,
): T {
  const apiVersion = apiVersionOf({ group: groupName(vocabulary, 'admissionregistration.'), version });
  for (const object of objects) {
    const isOfGroup = object.apiVersion === apiVersion;
    if (isOfGroup && object.kind === kind) {
      const policy = withDefaults(object, 'matchConstraints') as P;
      requireValid(policy, policyErrors(policy));
      source.setPolicy(policy);
    } else if (isOfGroup && object.kind === `${kind}Binding`) {
      const binding = withDefaults(object, 'matchResources') as B;
      requireValid(binding, bindingErrors(binding));
      source.setBinding(binding);
    } else
      throw new TypeError(
        `only objects of kind ${kind} or ${kind}Binding in ${apiVersion} are policies here, not ${object.kind} in ${object.apiVersion}`,
      );
  }
  return source;
}

/** Fills in what a server does before it validates. */
function withDefaults(object: ApiObject, field: 'matchConstraints' | 'matchResources'): ApiObject {
  const { spec = {} } = object as { readonly spec?: { readonly [field]?: MatchResources } };
  const resources = spec[field as never] as MatchResources | undefined;
  if (!resources) return object;
  const filled = { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent', ...resources };
  return { ...object, spec: { ...spec, [field]: filled } } as ApiObject;
}

function requireValid({ kind, metadata }: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const texts = errors.map(fieldErrorText).join(', ');
  throw new TypeError(`${kind} ${JSON.stringify(metadata.name ?? '')} is invalid: ${texts}`);
}
