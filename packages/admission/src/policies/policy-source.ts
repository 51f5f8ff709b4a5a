import type { Ambient, GroupResource, MaybePromise, Steps, Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import { ByResource } from '../matching/by-resource.ts';
import { isExemptFromPolicies } from '../matching/exempt-resources.ts';
import { rulesOfResourceSteps } from '../matching/rules-of-resource.ts';
import { type CompiledMutations, compileMutationsSteps } from './compile-mutations.ts';
import { type CompiledPolicy, compilePolicySteps } from './compile-policy.ts';
import type {
  MutatingAdmissionPolicySpec,
  Policy,
  PolicyBinding,
  PolicySpec,
  ValidatingAdmissionPolicySpec,
} from './policy-objects.ts';
import {
  type ReadyBinding,
  type ReadyMatch,
  type ReadyPolicy,
  readyBinding,
  readyPolicy,
} from './ready-policy.ts';

/** A policy and its bindings, of which there is at least one. */
export interface BoundPolicy<C = unknown> {
  readonly policy: ReadyPolicy<C>;
  /** By name. */
  readonly bindings: readonly ReadyBinding[];
}

/** The policies of a server, which follow what is stored. */
export interface PolicySource<C> {
  /** Those whose rules may match a request, by name; a promise until they have been read. */
  current(request: AdmissionRequest): readonly BoundPolicy<C>[] | Promise<readonly BoundPolicy<C>[]>;
}

/** Whether policies of a source may be for a request; that is not known before they have been read. */
export function mayApply(
  source: PolicySource<unknown>,
  request: AdmissionRequest,
  vocabulary: Vocabulary,
): boolean {
  const policies = source.current(request);
  return (policies instanceof Promise || policies.length > 0) && !isExemptFromPolicies(request, vocabulary);
}

const NONE: readonly BoundPolicy<never>[] = [];

/** The policies that have bindings, indexed by the resources that they are for: a source to which every change is reported. */
export class BoundPolicies<S extends PolicySpec, C> {
  readonly #compile: (spec: S) => Steps<C>;
  readonly #ambient: Pick<Ambient, 'clock' | 'turns'> | undefined;
  readonly #policies: Map<string, ReadyPolicy<C>> = new Map();
  readonly #bindings: Map<string, ReadyBinding> = new Map();
  /** All policies with their bindings; undefined after a change. */
  #bound: readonly BoundPolicy<C>[] | undefined = [];
  readonly #index: ByResource<BoundPolicy<C>>;

  /** @param ambient with it, rules and expressions by the thousand are read with pauses */
  constructor(compile: (spec: S) => Steps<C>, ambient?: Pick<Ambient, 'clock' | 'turns'>) {
    this.#compile = compile;
    this.#ambient = ambient;
    this.#index = new ByResource((resource) => ofResourceSteps(this.#allBound(), resource), ambient);
  }

  setPolicy(policy: Policy<S>): void {
    this.#policies.set(policy.metadata.name ?? '', readyPolicy(policy, this.#compile, this.#ambient));
    this.#changed();
  }

  deletePolicy({ metadata }: Policy): void {
    this.#policies.delete(metadata.name ?? '');
    this.#changed();
  }

  setBinding(binding: PolicyBinding): void {
    this.#bindings.set(binding.metadata.name ?? '', readyBinding(binding));
    this.#changed();
  }

  deleteBinding({ metadata }: PolicyBinding): void {
    this.#bindings.delete(metadata.name ?? '');
    this.#changed();
  }

  /** Returns the policies whose rules may match requests for the resource, by name. */
  of(resource: GroupResource): MaybePromise<readonly BoundPolicy<C>[]> {
    return this.#bound?.length === 0 ? NONE : this.#index.of(resource);
  }

  #changed(): void {
    this.#bound = undefined;
    this.#index.clear();
  }

  #allBound(): readonly BoundPolicy<C>[] {
    this.#bound ??= this.#bind();
    return this.#bound;
  }

  #bind(): readonly BoundPolicy<C>[] {
    const byPolicy = new Map<string, ReadyBinding[]>();
    for (const bound of [...this.#bindings.values()].sort(byName)) {
      const policy = bound.binding.spec?.policyName ?? '';
      const bindings = byPolicy.get(policy);
      if (bindings) bindings.push(bound);
      else byPolicy.set(policy, [bound]);
    }
    return [...this.#policies.values()].sort(byName).flatMap((policy) => {
      const bindings = byPolicy.get(policy.name);
      return bindings ? [{ policy, bindings }] : [];
    });
  }
}

/** The policies that validate. */
export class ValidatingPolicies extends BoundPolicies<ValidatingAdmissionPolicySpec, CompiledPolicy> {
  constructor(vocabulary: Vocabulary, ambient?: Pick<Ambient, 'clock' | 'turns'>) {
    super((spec) => compilePolicySteps(spec, vocabulary), ambient);
  }
}

/** The policies that change objects. */
export class MutatingPolicies extends BoundPolicies<MutatingAdmissionPolicySpec, CompiledMutations> {
  constructor(vocabulary: Vocabulary, ambient?: Pick<Ambient, 'clock' | 'turns'>) {
    super((spec) => compileMutationsSteps(spec, vocabulary), ambient);
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** Policies that are found between two pauses. */
const POLICIES_PER_STEP = 256;

function* ofResourceSteps<C>(
  policies: readonly BoundPolicy<C>[],
  resource: GroupResource,
): Steps<readonly BoundPolicy<C>[]> {
  const found: BoundPolicy<C>[] = [];
  for (const [index, { policy, bindings }] of policies.entries()) {
    const match = yield* matchOfResourceSteps(policy.match, resource);
    if (match)
      found.push({ policy: { ...policy, match }, bindings: yield* bindingsSteps(bindings, resource) });
    if (index % POLICIES_PER_STEP === POLICIES_PER_STEP - 1) yield;
  }
  return found.length > 0 ? found : NONE;
}

function* bindingsSteps(
  bindings: readonly ReadyBinding[],
  resource: GroupResource,
): Steps<readonly ReadyBinding[]> {
  const found: ReadyBinding[] = [];
  for (const [index, binding] of bindings.entries()) {
    const match = binding.match && (yield* matchOfResourceSteps(binding.match, resource));
    if (match) found.push({ ...binding, match });
    else if (!binding.match) found.push(binding);
    if (index % POLICIES_PER_STEP === POLICIES_PER_STEP - 1) yield;
  }
  return found;
}

/** What of a match concerns a resource; undefined if it matches no request for it. */
function* matchOfResourceSteps(match: ReadyMatch, resource: GroupResource): Steps<ReadyMatch | undefined> {
  const rules = yield* rulesOfResourceSteps(match.rules, resource);
  if (rules.length === 0 && match.rules.length > 0) return undefined;
  return { ...match, rules, excluded: yield* rulesOfResourceSteps(match.excluded, resource) };
}
