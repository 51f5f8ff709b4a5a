import type { Value } from '@ashlar/cel';
import {
  type ApiObject,
  doneSteps,
  type JsonObject,
  type StatusCause,
  StatusError,
  type Steps,
} from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest } from '../admission-request.ts';
import { explainedDenial, expressionCauses, refusedBy } from '../explain-denial.ts';
import { runEvaluation } from '../expressions/evaluate-expression.ts';
import { EvaluationSlices } from '../expressions/evaluation-slices.ts';
import { type ExplainedExpression, Explanation } from '../expressions/explanation.ts';
import { RequestValues } from '../expressions/request-bindings.ts';
import { namespaceOnce } from '../matching/request-matching.ts';
import { sameObject } from '../matching/same-object.ts';
import { VersionedRequest } from '../matching/versioned-request.ts';
import { Reinvocation } from '../reinvocation.ts';
import type { MatchingEnvironment } from '../webhooks/webhook-matching.ts';
import type { CompiledMutations } from './compile-mutations.ts';
import { evaluateMutations, type MutationInput, type MutationOutcome } from './evaluate-mutations.ts';
import { type PolicyNames, policyNames } from './policy-names.ts';
import {
  collectParameters,
  configurationFailure,
  type FindParameters,
  parametersOfKind,
} from './policy-parameters.ts';
import { type BoundPolicy, mayApply, type PolicySource } from './policy-source.ts';
import { matchRequest, type ReadyBinding, type ReadyPolicy } from './ready-policy.ts';

/** What the plugin needs. */
export interface MutatingPolicyEnvironment extends MatchingEnvironment {
  readonly source: PolicySource<CompiledMutations>;
  readonly parameters: FindParameters;
  /** Whether evaluations have the value of each expression, for every caller; default false. */
  readonly explains?: boolean;
  /** Called with each evaluation. */
  readonly observe?: ((evaluation: MutationEvaluation) => void) | undefined;
}

/** What a policy did with one binding and one set of parameters. */
export interface MutationEvaluation extends PolicyNames {
  readonly before: ApiObject;
  /** The same object if nothing changed. */
  readonly after: ApiObject;
  /** Why it failed, or the first of its mutations that did. */
  readonly failure?: string;
  /** Whether requests pass although it fails. */
  readonly ignoresErrors: boolean;
  /** Cost units of each of its mutations that were evaluated. */
  readonly costs: readonly number[];
  /** The values of expressions, in the order of evaluation; absent if they were not to be explained. */
  readonly expressions?: readonly ExplainedExpression[];
}

/** A policy with one binding and one set of parameters, which matches the request. */
interface Invocation {
  readonly policy: ReadyPolicy<CompiledMutations>;
  readonly binding: ReadyBinding;
  readonly version: string;
  readonly params: ApiObject | null;
  /** The same in both rounds. */
  readonly key: string;
}

interface Failure {
  readonly message: string;
  readonly reason: string;
}

const NO_FAILURE: Failure = { message: '', reason: '' };

/** What is told of a refusal, besides its text. */
interface Refusal {
  readonly params?: string | undefined;
  readonly explanation?: Explanation | undefined;
  /** Default Invalid. */
  readonly reason?: string;
}

/**
 * Changes objects as the stored mutating policies say, one after another (semantics/admission#mutatingadmissionpolicy). When one changes the
 * object, those before it whose reinvocation policy allows it are evaluated once more in a second round.
 */
export function createMutatingPolicies(environment: MutatingPolicyEnvironment): AdmissionPlugin {
  const { source, vocabulary } = environment;
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionPolicy',
    handles: (request) => request.object !== undefined && mayApply(source, request, vocabulary),
    async admit(request, rounds) {
      const policies = await source.current(request);
      return Reinvocation.inRound<string>(plugin, request, rounds, (reinvocation) =>
        new Mutating(request, environment).run(policies, reinvocation),
      );
    },
  };
  return plugin;
}

/** The mutating policies of one request in one round. */
class Mutating {
  readonly #environment: MutatingPolicyEnvironment;
  readonly #failures: Failure[] = [];
  /** The explanation of the first failure, for callers who may see it. */
  #causes: readonly StatusCause[] = [];
  readonly #namespace: () => Promise<ApiObject | undefined>;
  #request: AdmissionRequest;

  constructor(request: AdmissionRequest, environment: MutatingPolicyEnvironment) {
    this.#request = request;
    this.#environment = environment;
    this.#namespace = namespaceOnce(request, environment.namespace);
  }

  /** @throws StatusError 403 with the first failure */
  async run(
    policies: readonly BoundPolicy<CompiledMutations>[],
    reinvocation: Reinvocation<string>,
  ): Promise<ApiObject | undefined> {
    // what matches is decided before anything changes
    const invocations: Invocation[] = [];
    for (const bound of policies) invocations.push(...(await this.#invocationsOf(bound)));
    const slices = new EvaluationSlices(this.#environment.ambient);
    let isDone = false;
    for (const invocation of invocations) {
      if (!reinvocation.isDue(invocation.key)) continue;
      const { object } = this.#request;
      await slices.next();
      const outcome = await this.#invoke(invocation);
      if (this.#request.object !== object) reinvocation.changed();
      if (outcome.isMet && (await invocation.policy.compiled()).isReinvoked)
        reinvocation.called(invocation.key);
      isDone ||= outcome.isDone;
    }
    // release 1.32 takes what mutations return for a change, whatever it is
    if (isDone) reinvocation.changed();
    if (this.#failures.length > 0) throw explainedDenial(this.#request, this.#denial(), () => this.#causes);
    return this.#request.object;
  }

  async #invocationsOf({ policy, bindings }: BoundPolicy<CompiledMutations>): Promise<Invocation[]> {
    const found: Invocation[] = [];
    const version = await this.#orRefuse(policy, undefined, async () => {
      const matched = await this.#fits(policy.match);
      if (matched !== undefined) parametersOfKind(policy.spec.paramKind, this.#environment.parameters);
      return matched;
    });
    if (version === undefined) return found;
    for (const binding of bindings)
      await this.#orRefuse(policy, binding, async () => {
        if (binding.match && (await this.#fits(binding.match)) === undefined) return;
        for (const params of await this.#parametersOf(policy, binding)) {
          const { namespace = '', name = '' } = params?.metadata ?? {};
          const key = JSON.stringify([policy.name, binding.name, namespace, name]);
          found.push({ policy, binding, version, params, key });
        }
      });
    return found;
  }

  #fits(match: ReadyPolicy['match']): string | undefined | Promise<string | undefined> {
    return matchRequest(match, this.#request, this.#environment.namespace);
  }

  async #parametersOf(
    { spec: { paramKind } }: ReadyPolicy,
    { binding }: ReadyBinding,
  ): Promise<readonly (ApiObject | null)[]> {
    const objects = paramKind && this.#environment.parameters(paramKind);
    const { paramRef } = binding.spec ?? {};
    if (!objects || !paramRef) return [null];
    return collectParameters(objects, paramRef, this.#request.namespace);
  }

  /** Runs one invocation. */
  async #invoke(invocation: Invocation): Promise<MutationOutcome> {
    const { policy, binding, params } = invocation;
    const { object: before, explains } = this.#request;
    const explanation = explains || this.#environment.explains ? new Explanation() : undefined;
    const costs: number[] = [];
    const outcome = await this.#mutate(invocation, explanation, costs);
    const [failure] = outcome.failures;
    for (const text of outcome.failures)
      this.#refuse(policy, binding, text, { params: params?.metadata.name, explanation });
    this.#environment.observe?.({
      ...{ policy: policy.name, binding: binding.name, params: params?.metadata.name },
      ...{ before: before as ApiObject, after: this.#request.object as ApiObject },
      ...{ ignoresErrors: policy.ignoresErrors, costs },
      ...(failure !== undefined && { failure }),
      ...(explanation && { expressions: explanation.expressions }),
    });
    return outcome;
  }

  async #mutate(
    { policy, version, params }: Invocation,
    explanation: Explanation | undefined,
    costs: number[],
  ): Promise<MutationOutcome> {
    const request = this.#request;
    const { object, oldObject } = await new VersionedRequest(request).inVersion(version);
    if (!object) return { object: request.object as ApiObject, isMet: true, isDone: false, failures: [] };
    const own = this.#inputOf(await policy.compiled(), version, params, oldObject);
    const onConditions = this.#watchConditions(policy.name);
    const input = { ...own, explanation, costs, onConditions };
    const outcome = await runEvaluation(evaluateMutations(object, input), this.#environment.ambient);
    const changed = outcome.object;
    if (sameObject(changed, object)) return outcome;
    const { versions, resource } = request;
    const next =
      versions && version !== resource.version
        ? await versions.convert(changed, version, resource.version)
        : changed;
    this.#request = { ...request, object: next };
    return outcome;
  }

  #watchConditions(name: string): ((met: boolean | string) => void) | undefined {
    const { metrics } = this.#environment;
    if (!metrics) return undefined;
    const start = metrics.now();
    const request = this.#request;
    return (met) => metrics.conditionsDone({ kind: 'policy', name, step: 'admit' }, request, met, start);
  }

  #inputOf(
    policy: CompiledMutations,
    version: string,
    params: ApiObject | null,
    oldObject: ApiObject | undefined,
  ): MutationInput {
    const { vocabulary, authorizer, ambient } = this.#environment;
    const request = this.#request;
    const { versions } = request;
    const own = { vocabulary, authorizer, namespace: this.#namespace };
    return {
      policy,
      params: params as unknown as Value,
      ...{ vocabulary, ambient },
      valuesOf: (object) => new RequestValues(request, { version, object, oldObject }, own),
      decodeSteps: (object) => versions?.decodeSteps(object, version, true) ?? doneSteps(object),
      mergeSteps: (object, part) => mergedSteps(versions, version, object, part),
    };
  }

  async #orRefuse<T>(
    policy: ReadyPolicy,
    binding: ReadyBinding | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const why = configurationFailure(error, binding ? 'binding' : 'policy');
      this.#refuse(policy, binding, why, { reason: 'Forbidden' });
      return undefined;
    }
  }

  #refuse(
    { name, ignoresErrors }: ReadyPolicy,
    binding: ReadyBinding | undefined,
    message: string,
    { params, explanation, reason = 'Invalid' }: Refusal = {},
  ): void {
    if (ignoresErrors) return;
    if (this.#failures.length === 0)
      this.#causes = [
        refusedBy('AdmissionPolicy', policyNames({ policy: name, binding: binding?.name, params })),
        ...expressionCauses(explanation?.expressions ?? []),
      ];
    const who = binding ? `policy '${name}' with binding '${binding.name}'` : `policy "${name}"`;
    this.#failures.push({ message: `${who} denied request: ${message}`, reason });
  }

  #denial(): StatusError {
    const { resource, name } = this.#request;
    const { details } = StatusError.forbidden(resource, name, '');
    const [{ message, reason } = NO_FAILURE] = this.#failures;
    const causes = this.#failures.map((failure) => ({ message: failure.message }));
    return new StatusError({ code: 403, reason, message, details: { ...details, causes } });
  }
}

function* mergedSteps(
  versions: AdmissionRequest['versions'],
  version: string,
  object: ApiObject,
  part: JsonObject,
): Steps<ApiObject> {
  if (!versions) throw new Error('the kind of the object is not known');
  return yield* versions.decodeSteps(yield* versions.mergeSteps(object, part, version), version);
}
