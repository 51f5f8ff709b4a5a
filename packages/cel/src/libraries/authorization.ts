import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  trimSpace,
  type UserInfo,
  type Vocabulary,
} from '@ashlar/core';
import { type FunctionDeclaration, type Library, method, type OverloadCost } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { fixedCost, sizeOf, textCost } from '../cost/cost-model.ts';
import { addRanges, exactly, fixedEstimate, type SizedNode, scaleRange } from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';
import { Suspension } from '../plan/frame.ts';
import { EvaluationError, Opaque, type Value } from '../values/values.ts';

const { bool, string } = types;

/** The types of this library, by vocabulary. */
export interface AuthorizationTypes {
  readonly authorizer: CelType;
  readonly pathCheck: CelType;
  readonly groupCheck: CelType;
  readonly resourceCheck: CelType;
  readonly decision: CelType;
}

/** The types as a vocabulary names them. */
export function authorizationTypes(vocabulary: Vocabulary): AuthorizationTypes {
  const named = (name: string): CelType => ({
    ...types.object(`${vocabulary.name}.authorization.${name}`),
    comparison: { min: 1n, max: 1n },
  });
  return {
    authorizer: named('Authorizer'),
    pathCheck: named('PathCheck'),
    groupCheck: named('GroupCheck'),
    resourceCheck: named('ResourceCheck'),
    decision: named('Decision'),
  };
}

/** The access review built so far. */
type Question = Partial<AuthorizationAttributes>;

/** One step from an authorizer to a decision. Equal only to itself. */
class Step extends Opaque {
  readonly type: CelType;
  readonly check: AuthorizationCheck;
  readonly question: Question;
  constructor(type: CelType, check: AuthorizationCheck, question: Question) {
    super();
    this.type = type;
    this.check = check;
    this.question = question;
  }
  equals(other: Opaque): boolean {
    return other === this;
  }
  /** The step with more attributes. */
  with(type: CelType, more: Question): Step {
    return new Step(type, this.check, { ...this.question, ...more });
  }
}

/** A result. */
class DecisionValue extends Opaque {
  readonly type: CelType;
  readonly decision: AuthorizationDecision;
  constructor(type: CelType, decision: AuthorizationDecision) {
    super();
    this.type = type;
    this.decision = decision;
  }
  equals(other: Opaque): boolean {
    return other === this;
  }
}

/** An authorizer and its user; decisions are requested once and cached. */
class AuthorizationCheck {
  readonly authorizer: Authorizer;
  readonly user: UserInfo;
  readonly #decisions = new Map<string, AuthorizationDecision>();
  constructor(authorizer: Authorizer, user: UserInfo) {
    this.authorizer = authorizer;
    this.user = user;
  }
  /** The decision. Throws {@link Suspension} while it is pending. */
  decide(question: Question): AuthorizationDecision {
    for (const attribute of Object.values(question))
      if (typeof attribute === 'string') work(attribute.length * 5);
    const attributes: AuthorizationAttributes = {
      ...EMPTY_ATTRIBUTES,
      ...question,
      user: question.user ?? this.user,
    };
    const key = JSON.stringify(attributes);
    const cached = this.#decisions.get(key);
    if (cached) return cached;
    const result = this.authorizer.authorize(attributes);
    if (!('then' in result)) {
      this.#decisions.set(key, result);
      return result;
    }
    throw new Suspension(
      result.then((decision) => {
        this.#decisions.set(key, decision);
      }),
    );
  }
}

const EMPTY_ATTRIBUTES: Omit<AuthorizationAttributes, 'user'> = {
  verb: '',
  isResourceRequest: false,
  apiGroup: '',
  apiVersion: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
};

/** The resource of a request, for `authorizer.requestResource`. */
export type RequestResource = Pick<
  AuthorizationAttributes,
  'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name'
>;

/** The value of a variable of type Authorizer: authorizes for the user. */
export function authorizerValue(vocabulary: Vocabulary, authorizer: Authorizer, user: UserInfo): Value {
  return new Step(authorizationTypes(vocabulary).authorizer, new AuthorizationCheck(authorizer, user), {});
}

/** The value of a variable that authorizes for the resource of the request. */
export function requestResourceValue(
  vocabulary: Vocabulary,
  authorizer: Authorizer,
  user: UserInfo,
  resource: RequestResource,
): Value {
  const question = { ...resource, isResourceRequest: true, apiVersion: '*' };
  return new Step(
    authorizationTypes(vocabulary).resourceCheck,
    new AuthorizationCheck(authorizer, user),
    question,
  );
}

const CHECK_UNITS = 350_000;
const checking: OverloadCost = { cost: fixedCost(CHECK_UNITS), estimate: fixedEstimate(CHECK_UNITS) };

/** A requirement takes at least two characters and costs a list and a struct. */
const UNITS_PER_REQUIREMENT = 50;
const selecting: OverloadCost = {
  cost: ([, selector], _, model) => {
    const size = sizeOf(selector as Value);
    return BASE_SELECTOR + textCost(size, model) + Math.ceil(size * 0.5) * UNITS_PER_REQUIREMENT;
  },
  estimate: (call) => {
    const size = call.sizeOf(call.arguments[0] as SizedNode);
    const requirements = scaleRange(scaleRange(size, 0.5), UNITS_PER_REQUIREMENT);
    return { cost: addRanges(exactly(BASE_SELECTOR), scaleRange(size, call.model.text), requirements) };
  },
};
const BASE_SELECTOR = 10;

function isBlank(text: string): boolean {
  work(text.length);
  return trimSpace(text) === '';
}

/** A service account as a user (semantics/access). */
function serviceAccountUser(namespace: string, name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

/** Authorization checks (semantics/schemas#rules). */
export function authorizationLibrary(vocabulary: Vocabulary): Library {
  const { authorizer, pathCheck, groupCheck, resourceCheck, decision } = authorizationTypes(vocabulary);
  const path = (step: Step, text: string): Value =>
    isBlank(text) ? new EvaluationError('path must not be empty') : step.with(pathCheck, { path: text });
  const serviceAccount = (step: Step, namespace: string, name: string): Value => {
    work((namespace.length + name.length) * 20);
    if (dns1123SubdomainErrors(name).length > 0) return new EvaluationError('Invalid service account name');
    if (dns1123LabelErrors(namespace).length > 0)
      return new EvaluationError('Invalid service account namespace');
    return step.with(authorizer, { user: serviceAccountUser(namespace, name) });
  };
  const resource = (step: Step, text: string): Value => {
    if (isBlank(text)) return new EvaluationError('resource must not be empty');
    return step.with(resourceCheck, { resource: text, isResourceRequest: true, apiVersion: '*' });
  };
  const check = (step: Step, verb: string): Value =>
    new DecisionValue(decision, step.check.decide({ ...step.question, verb }));
  const narrow = (name: 'subresource' | 'namespace' | 'name'): FunctionDeclaration => ({
    name,
    overloads: [
      method(`resourcecheck_${name}`, [resourceCheck, string], resourceCheck, (step: Step, text: string) =>
        step.with(resourceCheck, { [name]: text }),
      ),
    ],
  });
  const outcome = (
    name: string,
    result: CelType,
    read: (decision: AuthorizationDecision) => Value,
  ): FunctionDeclaration => ({
    name,
    overloads: [
      method(`decision_${name}`, [decision], result, (value: DecisionValue) => read(value.decision)),
    ],
  });
  return {
    name: 'authorization',
    types: [authorizer, pathCheck, groupCheck, resourceCheck, decision],
    functions: [
      { name: 'path', overloads: [method('authorizer_path', [authorizer, string], pathCheck, path)] },
      {
        name: 'group',
        overloads: [
          method('authorizer_group', [authorizer, string], groupCheck, (step: Step, text: string) =>
            step.with(groupCheck, { apiGroup: text }),
          ),
        ],
      },
      {
        name: 'serviceAccount',
        overloads: [
          method('authorizer_serviceaccount', [authorizer, string, string], authorizer, serviceAccount),
        ],
      },
      {
        name: 'resource',
        overloads: [method('groupcheck_resource', [groupCheck, string], resourceCheck, resource)],
      },
      narrow('subresource'),
      narrow('namespace'),
      narrow('name'),
      {
        name: 'check',
        overloads: [
          method('pathcheck_check', [pathCheck, string], decision, check, checking),
          method('resourcecheck_check', [resourceCheck, string], decision, check, checking),
        ],
      },
      outcome('errored', bool, ({ error }) => error !== undefined),
      outcome('error', string, ({ error }) => error?.message ?? ''),
      outcome('allowed', bool, (result) => result.decision === 'allow'),
      outcome('reason', string, ({ reason }) => reason ?? ''),
    ],
  };
}

/** Selectors in authorization checks of resources. */
export function authorizationSelectorsLibrary(vocabulary: Vocabulary): Library {
  const { resourceCheck } = authorizationTypes(vocabulary);
  const selector = (name: 'fieldSelector' | 'labelSelector'): FunctionDeclaration => ({
    name,
    overloads: [
      method(
        `authorizer_${name.toLowerCase()}`,
        [resourceCheck, string],
        resourceCheck,
        (step: Step, text: string) => step.with(resourceCheck, { [name]: text }),
        selecting,
      ),
    ],
  });
  return {
    name: 'authorization-selectors',
    functions: [selector('fieldSelector'), selector('labelSelector')],
  };
}
