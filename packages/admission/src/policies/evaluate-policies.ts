import { type ApiObject, orchVocabulary, parseApiVersion, StatusError } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { validatingPoliciesOf } from './policies-of-manifests.ts';
import { ADMINISTRATOR, matchingAmong, type PolicyCircumstances, pluralOf } from './policy-circumstances.ts';
import { createValidatingPolicies, type PolicyEvaluation } from './validating-policies.ts';

/** A write, and the policies that are evaluated. */
export interface PolicyTrial extends PolicyCircumstances {
  /** ValidatingAdmissionPolicies and their bindings, as they are written in manifests. */
  readonly policies: readonly ApiObject[];
  /** The object to write; absent for deletions. */
  readonly object?: ApiObject;
  /** The object before the write; absent for creations. */
  readonly oldObject?: ApiObject;
  /** Plural of the object's kind; by default the kind in lower case with the usual ending. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly dryRun?: boolean;
  /** Whether evaluations have the value of each expression; default false. */
  readonly explain?: boolean;
}

/** What the policies say of a write. */
export interface PolicyVerdict {
  /** The response that a server would give; undefined if it would not deny the write. */
  readonly denial: StatusError | undefined;
  /** The results of each policy with each binding and set of parameters that matched, with their costs. */
  readonly evaluations: readonly PolicyEvaluation[];
  /** Texts of Warning headers. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/**
 * Asks policies about a write, without a server: with the same answers and costs as a server that stores them
 * (semantics/admission#validatingadmissionpolicy).
 * @throws TypeError for a policy or a binding that no server would store, and for other objects among them
 * @example
 * const { denial } = await evaluatePolicies({ policies: [policy, binding], object: pod });
 * expect(denial?.message).toContain('images need a tag');
 */
export async function evaluatePolicies(trial: PolicyTrial): Promise<PolicyVerdict> {
  const { vocabulary = orchVocabulary } = trial;
  const source = validatingPoliciesOf(trial.policies, vocabulary);
  const evaluations: PolicyEvaluation[] = [];
  const warnings: string[] = [];
  const auditAnnotations: Record<string, string> = {};
  const plugin = createValidatingPolicies({
    ...matchingAmong(trial),
    source: { current: (request) => source.of(request.resource) },
    explains: trial.explain === true,
    observe: (evaluation) => evaluations.push(evaluation),
  });
  const request: AdmissionRequest = {
    ...requestOf(trial),
    warn: (text) => warnings.push(text),
    annotate(key, value) {
      auditAnnotations[key] ??= value;
    },
  };
  const denial = plugin.handles(request) ? await denialOf(plugin.validate?.(request)) : undefined;
  return { denial, evaluations, warnings, auditAnnotations };
}

async function denialOf(validation: void | Promise<void>): Promise<StatusError | undefined> {
  try {
    await validation;
    return undefined;
  } catch (error) {
    if (StatusError.is(error)) return error;
    throw error;
  }
}

function requestOf(trial: PolicyTrial): Omit<AdmissionRequest, 'warn' | 'annotate'> {
  const { object, oldObject, subresource = '', dryRun = false } = trial;
  const subject = object ?? oldObject;
  if (!subject) throw new TypeError('evaluatePolicies needs an object or an oldObject');
  const { group, version } = parseApiVersion(subject.apiVersion) ?? {
    group: '',
    version: subject.apiVersion,
  };
  const { kind, metadata } = subject;
  const { name = '' } = metadata;
  const isNamespace = group === '' && kind === 'Namespace';
  return {
    operation: object && oldObject ? 'UPDATE' : object ? 'CREATE' : 'DELETE',
    resource: { group, version, resource: trial.resource ?? pluralOf(kind) },
    kind: { group, version, kind },
    ...{ subresource, name, object, oldObject, dryRun },
    namespace: isNamespace ? name : (metadata.namespace ?? ''),
    user: trial.user ?? ADMINISTRATOR,
  };
}
