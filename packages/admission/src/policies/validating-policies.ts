import type { Value } from '@ashlar/cel';
import { encodeJsonText } from '@ashlar/codec';
import { type ApiObject, andThen, groupName } from '@ashlar/core';
import type { PolicyEnforcement } from '../admission-metrics.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import { explainedDenial, expressionCauses, refusedBy } from '../explain-denial.ts';
import { runEvaluation } from '../expressions/evaluate-expression.ts';
import { EvaluationSlices } from '../expressions/evaluation-slices.ts';
import { Explanation } from '../expressions/explanation.ts';
import { RequestValues } from '../expressions/request-bindings.ts';
import { namespaceOnce } from '../matching/request-matching.ts';
import { VersionedRequest } from '../matching/versioned-request.ts';
import type { MatchingEnvironment } from '../webhooks/webhook-matching.ts';
import { CollectedAnnotations } from './collected-annotations.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import {
  evaluatePolicy,
  NOTHING,
  type PolicyFailure,
  type PolicyInput,
  type PolicyResult,
} from './evaluate-policy.ts';
import { denialError, type PolicyDenial } from './policy-denial.ts';
import { policyNames } from './policy-names.ts';
import type { ValidatingAdmissionPolicyBinding } from './policy-objects.ts';
import {
  collectParameters,
  configurationFailure,
  type FindParameters,
  type ParameterObjects,
  parametersOfKind,
} from './policy-parameters.ts';
import { type BoundPolicy, mayApply, type PolicySource } from './policy-source.ts';
import { matchRequest, type ReadyBinding, type ReadyPolicy } from './ready-policy.ts';

/** What the plugin needs. */
export interface PolicyEnvironment extends MatchingEnvironment {
  readonly source: PolicySource<CompiledPolicy>;
  readonly parameters: FindParameters;
  /** Called with the results of each policy, beyond the first denial. */
  readonly observe?: (evaluation: PolicyEvaluation) => void;
  /** Whether evaluations have the value of each expression; default false. */
  readonly explains?: boolean;
}

/** The results of a policy for a request, with one binding and one set of parameters. */
export interface PolicyEvaluation extends PolicyResult {
  readonly policy: string;
  /** Absent if the policy itself cannot be used. */
  readonly binding?: string;
  /** Name of the parameters; absent if there are none. */
  readonly params?: string;
  /** `Deny`, `Warn`, `Audit`. */
  readonly actions: readonly string[];
}

/** Evaluates the stored policies that match a request; the first denial is the response (semantics/admission#validatingadmissionpolicy). */
export function createValidatingPolicies(environment: PolicyEnvironment): AdmissionPlugin {
  const { source, vocabulary } = environment;
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: (request) => mayApply(source, request, vocabulary),
    async validate(request) {
      const current = source.current(request);
      const policies = current instanceof Promise ? await current : current;
      if (policies.length > 0) await new RequestPolicies(request, environment).validate(policies);
    },
  };
}

/** The policies of one request. */
class RequestPolicies {
  readonly #request: AdmissionRequest;
  readonly #environment: PolicyEnvironment;
  readonly #versioned: VersionedRequest;
  readonly #values: Map<string, RequestValues> = new Map();
  readonly #denials: PolicyDenial[] = [];
  #annotations: CollectedAnnotations | undefined;
  readonly #namespace: () => Promise<ApiObject | undefined>;
  readonly #slices: EvaluationSlices;

  constructor(request: AdmissionRequest, environment: PolicyEnvironment) {
    this.#request = request;
    this.#environment = environment;
    this.#versioned = new VersionedRequest(request);
    this.#namespace = namespaceOnce(request, environment.namespace);
    this.#slices = new EvaluationSlices(environment.ambient);
  }

  /** @throws StatusError the first denial */
  async validate(policies: readonly BoundPolicy<CompiledPolicy>[]): Promise<void> {
    for (const bound of policies) {
      const evaluated = this.#applyPolicy(bound);
      if (evaluated) await evaluated;
    }
    this.#annotations?.annotate(this.#request);
    const [denial] = this.#denials;
    if (denial) throw this.#explained(denial);
  }

  #explained(denial: PolicyDenial): unknown {
    return explainedDenial(this.#request, denialError(this.#request, denial), () => [
      refusedBy('AdmissionPolicy', policyNames(denial)),
      ...expressionCauses(denial.expressions ?? []),
    ]);
  }

  /** Evaluates one policy if it matches; without a promise if there is nothing to wait for, as for most. */
  #applyPolicy(bound: BoundPolicy<CompiledPolicy>): void | Promise<void> {
    const version = this.#matched(bound.policy);
    if (!(version instanceof Promise)) return this.#applyBindings(bound, version);
    return version.then((matched) => this.#applyBindings(bound, matched));
  }

  #applyBindings(
    { policy, bindings }: BoundPolicy<CompiledPolicy>,
    version: string | undefined,
  ): void | Promise<void> {
    if (version === undefined) return undefined;
    let parameters: ParameterObjects | undefined;
    try {
      parameters = parametersOfKind(policy.spec.paramKind, this.#environment.parameters);
    } catch (error) {
      return this.#refuse(policy, undefined, error);
    }
    const [first] = bindings;
    if (first && bindings.length === 1) return this.#bind(policy, first, version, parameters);
    return this.#bindAll(policy, bindings, version, parameters);
  }

  async #bindAll(
    policy: ReadyPolicy<CompiledPolicy>,
    bindings: readonly ReadyBinding[],
    version: string,
    parameters: ParameterObjects | undefined,
  ): Promise<void> {
    for (const binding of bindings) {
      const others = this.#slices.next();
      if (others) await others;
      const bound = this.#bind(policy, binding, version, parameters);
      if (bound) await bound;
    }
  }

  #matched(policy: ReadyPolicy): string | undefined | Promise<string | undefined> {
    const version = this.#fits(policy.match);
    if (!(version instanceof Promise)) return version;
    return version.catch((error: unknown) => {
      this.#refuse(policy, undefined, error);
      return undefined;
    });
  }

  #fits(match: ReadyPolicy['match']): string | undefined | Promise<string | undefined> {
    return matchRequest(match, this.#request, this.#environment.namespace);
  }

  /** Evaluates a policy with one binding; without a promise if there is nothing to wait for. */
  #bind(
    policy: ReadyPolicy<CompiledPolicy>,
    binding: ReadyBinding,
    version: string,
    parameters: ParameterObjects | undefined,
  ): void | Promise<void> {
    const values = this.#values.get(version);
    if (binding.match || (parameters && binding.binding.spec?.paramRef) || !values)
      return this.#bindInSteps(policy, binding, version, parameters);
    return andThen(this.#slices.next(), () => this.#bindAtOnce(policy, binding, values));
  }

  #bindAtOnce(
    policy: ReadyPolicy<CompiledPolicy>,
    binding: ReadyBinding,
    values: RequestValues,
  ): void | Promise<void> {
    const start = this.#environment.metrics?.now() ?? 0;
    return andThen(this.#evaluate(policy, values, null, start), (result) =>
      this.#apply(policy, binding, null, result, start),
    );
  }

  async #bindInSteps(
    policy: ReadyPolicy<CompiledPolicy>,
    binding: ReadyBinding,
    version: string,
    parameters: ParameterObjects | undefined,
  ): Promise<void> {
    try {
      const { match } = binding;
      if (match && (await this.#fits(match)) === undefined) return;
      const { paramRef } = binding.binding.spec ?? {};
      const found =
        parameters && paramRef
          ? await collectParameters(parameters, paramRef, this.#request.namespace)
          : [null];
      const values = this.#values.get(version) ?? (await this.#valuesIn(version));
      for (const params of found) {
        const others = this.#slices.next();
        if (others) await others;
        const start = this.#environment.metrics?.now() ?? 0;
        const result = await this.#evaluate(policy, values, params, start);
        this.#apply(policy, binding, params, result, start);
      }
    } catch (error) {
      this.#refuse(policy, binding, error);
    }
  }

  #evaluate(
    policy: ReadyPolicy<CompiledPolicy>,
    values: RequestValues,
    params: ApiObject | null,
    start: number,
  ): PolicyResult | Promise<PolicyResult> {
    return andThen(policy.compiled(), (compiled) => this.#run(policy, compiled, { values, params, start }));
  }

  #run(
    policy: ReadyPolicy<CompiledPolicy>,
    compiled: CompiledPolicy,
    {
      values,
      params,
      start,
    }: { readonly values: RequestValues; readonly params: ApiObject | null; readonly start: number },
  ): PolicyResult | Promise<PolicyResult> {
    const { vocabulary, ambient, explains, metrics } = this.#environment;
    const owner = { kind: 'policy', name: policy.name, step: 'validate' } as const;
    const input: PolicyInput = {
      policy: compiled,
      ...(metrics &&
        compiled.conditions.length > 0 && {
          onConditions: (met) => metrics.conditionsDone(owner, this.#request, met, start),
        }),
      ignoresErrors: policy.ignoresErrors,
      values,
      params: params as unknown as Value,
      vocabulary,
      ambient,
    };
    return explains || this.#request.explains
      ? explained(input)
      : runEvaluation(evaluatePolicy(input), ambient);
  }

  async #valuesIn(version: string): Promise<RequestValues> {
    const { vocabulary, authorizer } = this.#environment;
    const objects = await this.#versioned.inVersion(version);
    const values = new RequestValues(this.#request, objects, {
      ...{ vocabulary, authorizer },
      namespace: this.#namespace,
    });
    this.#values.set(version, values);
    return values;
  }

  /** Does what the actions of the binding say. */
  #apply(
    { name }: ReadyPolicy,
    { name: binding, binding: stored }: ReadyBinding,
    params: ApiObject | null,
    result: PolicyResult,
    start: number,
  ): void {
    const { failures, auditAnnotations, annotationErrors, expressions } = result;
    const actions = (stored as ValidatingAdmissionPolicyBinding).spec?.validationActions ?? [];
    const names = { policy: name, binding, ...(params && { params: params.metadata.name ?? '' }) };
    this.#environment.observe?.({ ...result, ...names, actions });
    this.#count({ name, binding }, actions, result, start);
    const evaluated = { ...names, ...(expressions && { expressions }) };
    for (const failure of failures) {
      const { message, reason } = failure;
      if (actions.includes('Deny')) this.#denials.push({ ...evaluated, message, reason });
      if (actions.includes('Audit')) this.#audit(failure, { policy: name, binding, actions });
      if (actions.includes('Warn'))
        this.#request.warn(
          `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding}': ${message}`,
        );
    }
    for (const message of annotationErrors) this.#denials.push({ ...evaluated, message, reason: 'Invalid' });
    for (const { key, value } of auditAnnotations) {
      this.#annotations ??= new CollectedAnnotations();
      this.#annotations.add(`${name}/${key}`, value);
    }
  }

  /** Counts what a policy says against the request; most say nothing, and cost nothing here. */
  #count(
    { name, binding }: { readonly name: string; readonly binding: string },
    actions: readonly string[],
    { failures, annotationErrors, ignoredErrors = [] }: PolicyResult,
    start: number,
  ): void {
    const { metrics } = this.#environment;
    if (!metrics || failures.length + annotationErrors.length + ignoredErrors.length === 0) return;
    const seconds = metrics.now() - start;
    for (const message of ignoredErrors) metrics.policyFailed(name, binding, message, 'allow', seconds);
    for (const message of annotationErrors) metrics.policyFailed(name, binding, message, 'deny', seconds);
    for (const { message } of failures)
      for (const action of actions)
        metrics.policyFailed(name, binding, message, ENFORCEMENTS[action] ?? 'deny', seconds);
  }

  #audit(
    { message, expressionIndex }: PolicyFailure,
    { policy, binding, actions }: { policy: string; binding: string; actions: readonly string[] },
  ): void {
    const failure = { message, policy, binding, expressionIndex, validationActions: [...actions] };
    const domain = `validation.policy.${groupName(this.#environment.vocabulary, 'admission.')}`;
    this.#request.annotate(`${domain}/validation_failure`, encodeJsonText([failure]));
  }

  /** A policy or a binding that cannot be used denies the request, unless errors are passed over. */
  #refuse(policy: ReadyPolicy, binding: ReadyBinding | undefined, error: unknown): void {
    const message = configurationFailure(error, binding ? 'binding' : 'policy');
    if (policy.ignoresErrors) return;
    const reason = 'Invalid';
    const who = { policy: policy.name, ...(binding && { binding: binding.name }) };
    this.#denials.push({ ...who, message, reason });
    this.#environment.observe?.({
      ...{ ...NOTHING, ...who, actions: ['Deny'] },
      failures: [{ message, reason, expressionIndex: 0 }],
    });
  }
}

/** Evaluates a policy, with the value of each expression. */
async function explained(input: PolicyInput): Promise<PolicyResult> {
  const explanation = new Explanation();
  const result = await runEvaluation(evaluatePolicy({ ...input, explanation }), input.ambient);
  return { ...result, expressions: explanation.expressions };
}

const ENFORCEMENTS: Readonly<Record<string, PolicyEnforcement>> = {
  Deny: 'deny',
  Audit: 'audit',
  Warn: 'warn',
};
