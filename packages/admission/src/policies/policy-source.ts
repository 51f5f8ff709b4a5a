import type { GroupResource, Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';
import type { AdmissionRule } from '../admission-rule.ts';
import { type CompiledMutations, compileMutations } from './compile-mutations.ts';
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts';
import type {
  MutatingAdmissionPolicySpec,
  Policy,
  PolicyBinding,
  PolicySpec,
  ValidatingAdmissionPolicySpec,
} from './policy-objects.ts';
import { type ReadyBinding, type ReadyPolicy, readyBinding, readyPolicy } from './ready-policy.ts';

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

const NONE: readonly BoundPolicy<never>[] = [];

/** The policies that have bindings, indexed by the resources that they are for: a source to which every change is reported. */
export class BoundPolicies<S extends PolicySpec, C> {
  readonly #compile: (spec: S) => C;
  readonly #policies: Map<string, ReadyPolicy<C>> = new Map();
  readonly #bindings: Map<string, ReadyBinding> = new Map();
  /** All policies with their bindings; undefined after a change. */
  #bound: readonly BoundPolicy<C>[] | undefined = [];
  /** By group and resource, filled by requests. */
  readonly #index: Map<string, Map<string, readonly BoundPolicy<C>[]>> = new Map();

  constructor(compile: (spec: S) => C) {
    this.#compile = compile;
  }

  setPolicy(policy: Policy<S>): void {
    this.#policies.set(policy.metadata.name ?? '', readyPolicy(policy, this.#compile));
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

  /** Returns the policies whose rules name the resource, by name. */
  of({ group, resource }: GroupResource): readonly BoundPolicy<C>[] {
    this.#bound ??= this.#bind();
    if (this.#bound.length === 0) return NONE;
    const existing = this.#index.get(group)?.get(resource);
    if (existing) return existing;
    const found = this.#bound.filter(({ policy }) => names(policy.match.rules, group, resource));
    const ofGroup = this.#index.get(group) ?? new Map<string, readonly BoundPolicy<C>[]>();
    this.#index.set(group, ofGroup.set(resource, found.length === 0 ? NONE : found));
    return found;
  }

  #changed(): void {
    this.#bound = undefined;
    this.#index.clear();
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
  constructor(vocabulary: Vocabulary) {
    super((spec) => compilePolicy(spec, vocabulary));
  }
}

/** The policies that change objects. */
export class MutatingPolicies extends BoundPolicies<MutatingAdmissionPolicySpec, CompiledMutations> {
  constructor(vocabulary: Vocabulary) {
    super((spec) => compileMutations(spec, vocabulary));
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** Whether a rule may match requests for a resource or its subresources. */
function names(rules: readonly AdmissionRule[], group: string, resource: string): boolean {
  if (rules.length === 0) return true;
  return rules.some(
    ({ apiGroups, resources }) =>
      (apiGroups ?? []).some((name) => name === '*' || name === group) &&
      (resources ?? []).some((pattern) => {
        const [name] = pattern.split('/');
        return name === '*' || name === resource;
      }),
  );
}
