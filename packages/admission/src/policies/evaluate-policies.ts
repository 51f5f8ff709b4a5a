import {
  type ApiObject,
  type Authorizer,
  apiVersionOf,
  type FieldError,
  fieldErrorText,
  groupName,
  type LabelSelector,
  orchVocabulary,
  parseApiVersion,
  StatusError,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import type {
  MatchResources,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from './policy-objects.ts';
import type { FindParameters } from './policy-parameters.ts';
import { ValidatingPolicies } from './policy-source.ts';
import { validatingBindingErrors } from './validate-binding.ts';
import { validatingPolicyErrors } from './validate-policy.ts';
import { createValidatingPolicies, type PolicyEvaluation } from './validating-policies.ts';

/** A write, and the policies that are evaluated. */
export interface PolicyTrial {
  /** ValidatingAdmissionPolicies and their bindings, as they are written in manifests. */
  readonly policies: readonly ApiObject[];
  /** The object to write; absent for deletions. */
  readonly object?: ApiObject;
  /** The object before the write; absent for creations. */
  readonly oldObject?: ApiObject;
  /** Plural of the object's kind; by default the kind in lower case with the usual ending. */
  readonly resource?: string;
  readonly subresource?: string;
  /** Who writes; default: `system:admin`. */
  readonly user?: UserInfo;
  /** Answers for `authorizer`; by default nothing is allowed. */
  readonly authorizer?: Authorizer;
  /** Namespaces, for selectors and `namespaceObject`; any other has its name as its only label. */
  readonly namespaces?: readonly ApiObject[];
  /** Objects that policies may use as parameters. */
  readonly params?: readonly ApiObject[];
  /** Returns the type of a kind of parameters; undefined if there is no such kind. By default the kinds of `params` exist. */
  readonly findParamKind?: (apiVersion: string, kind: string) => ParamKindType | undefined;
  readonly dryRun?: boolean;
  /** Whether evaluations have the value of each expression; default false. */
  readonly explain?: boolean;
  /** Default: the names of the specification. */
  readonly vocabulary?: Vocabulary;
}

/** The type of a kind of parameters. */
export interface ParamKindType {
  /** Its plural. */
  readonly resource: string;
  readonly isNamespaced: boolean;
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
  const { vocabulary = orchVocabulary, authorizer = ALLOWS_NOTHING } = trial;
  const source = sourceOf(trial.policies, vocabulary);
  const evaluations: PolicyEvaluation[] = [];
  const warnings: string[] = [];
  const auditAnnotations: Record<string, string> = {};
  const plugin = createValidatingPolicies({
    ...{ ambient: {}, vocabulary, authorizer },
    source: { current: (request) => source.of(request.resource) },
    parameters: parametersAmong(trial.params ?? [], trial.findParamKind),
    namespace: (name) => namespaceAmong(trial.namespaces ?? [], name, vocabulary),
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

const ALLOWS_NOTHING: Authorizer = { authorize: () => ({ decision: 'no-opinion' }) };

async function denialOf(validation: void | Promise<void>): Promise<StatusError | undefined> {
  try {
    await validation;
    return undefined;
  } catch (error) {
    if (StatusError.is(error)) return error;
    throw error;
  }
}

function sourceOf(objects: readonly ApiObject[], vocabulary: Vocabulary): ValidatingPolicies {
  const source = new ValidatingPolicies(vocabulary);
  const apiVersion = apiVersionOf({ group: groupName(vocabulary, 'admissionregistration.'), version: 'v1' });
  for (const object of objects) {
    if (object.apiVersion === apiVersion && object.kind === 'ValidatingAdmissionPolicy') {
      const policy = withDefaults(object, 'matchConstraints') as ValidatingAdmissionPolicy;
      requireValid(policy, validatingPolicyErrors(policy, vocabulary));
      source.setPolicy(policy);
    } else if (object.apiVersion === apiVersion && object.kind === 'ValidatingAdmissionPolicyBinding') {
      const binding = withDefaults(object, 'matchResources') as ValidatingAdmissionPolicyBinding;
      requireValid(binding, validatingBindingErrors(binding));
      source.setBinding(binding);
    } else {
      const what = `${object.kind} in ${object.apiVersion}`;
      throw new TypeError(
        `evaluatePolicies takes validating policies and bindings of ${apiVersion}, not ${what}`,
      );
    }
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
    user: trial.user ?? { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
  };
}

function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function namespaceAmong(objects: readonly ApiObject[], name: string, vocabulary: Vocabulary): ApiObject {
  const found = objects.find(({ metadata }) => metadata.name === name);
  const labels = { [`${vocabulary.groupDomain}/metadata.name`]: name };
  if (found)
    return { ...found, metadata: { ...found.metadata, labels: { ...labels, ...found.metadata.labels } } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function parametersAmong(
  objects: readonly ApiObject[],
  findParamKind: PolicyTrial['findParamKind'],
): FindParameters {
  return ({ apiVersion = '', kind = '' }) => {
    const ofKind = objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind);
    const type = findParamKind?.(apiVersion, kind) ?? typeOf(ofKind, kind);
    if (!type) return undefined;
    const inNamespace = (namespace: string): readonly ApiObject[] =>
      ofKind.filter(({ metadata }) => (metadata.namespace ?? '') === namespace);
    return {
      ...type,
      get: (namespace, name) => inNamespace(namespace).find(({ metadata }) => metadata.name === name),
      list: (namespace, labels: LabelSelector) =>
        inNamespace(namespace).filter(({ metadata }) => labels.matches(metadata.labels ?? {})),
    };
  };
}

function typeOf(objects: readonly ApiObject[], kind: string): ParamKindType | undefined {
  if (objects.length === 0) return undefined;
  const isNamespaced = objects.some(({ metadata }) => metadata.namespace !== undefined);
  return { resource: pluralOf(kind), isNamespaced };
}
