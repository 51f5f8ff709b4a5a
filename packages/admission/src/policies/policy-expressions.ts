import { type CelType, MUTATION_TYPES, types } from '@ashlar/cel';
import type { Vocabulary } from '@ashlar/core';
import {
  type AdmissionExpression,
  AdmissionScope,
  variableType,
} from '../expressions/admission-expression.ts';
import type { ParamKind, Variable } from './policy-objects.ts';

/** What decides which variables the expressions of a policy have. */
export interface PolicyScope {
  readonly paramKind?: ParamKind | null;
  readonly variables?: readonly Variable[] | null;
}

/**
 * Compiles the expressions of one policy. Variables come first, in their order: each knows those before it
 * (semantics/admission#validatingadmissionpolicy).
 */
export class PolicyExpressions {
  readonly #types: Map<string, CelType> = new Map();
  readonly #full: AdmissionScope;
  readonly #messages: AdmissionScope;
  readonly #mutations: AdmissionScope;
  readonly #isNew: (expression: string) => boolean;

  /** @param isNew whether an expression must be one that the release before knows too; by default none must */
  constructor(
    { paramKind, variables }: PolicyScope,
    vocabulary: Vocabulary,
    isNew: (expression: string) => boolean = () => false,
  ) {
    const scope = {
      vocabulary,
      params: Boolean(paramKind),
      ...(variables && variables.length > 0 && { variables: this.#types }),
    };
    this.#full = new AdmissionScope(scope);
    this.#messages = new AdmissionScope({ ...scope, authorizer: false });
    this.#mutations = new AdmissionScope({ ...scope, mutation: true });
    this.#isNew = isNew;
  }

  variable({ name, expression }: Variable): AdmissionExpression {
    const compiled = this.#full.compile(expression, [], this.#isNew(expression));
    this.#types.set(name, variableType(compiled.program?.type));
    return compiled;
  }

  validation(text: string): AdmissionExpression {
    return this.#full.compile(text, [types.bool], this.#isNew(text));
  }

  /** An expression of a message cannot use the authorizer. */
  message(text: string): AdmissionExpression {
    return this.#messages.compile(text, [types.string], this.#isNew(text));
  }

  auditAnnotation(text: string): AdmissionExpression {
    return this.#full.compile(text, [types.string, types.null], this.#isNew(text));
  }

  /** An expression that makes a part of an object, which is merged into it. */
  applyConfiguration(text: string): AdmissionExpression {
    return this.#mutations.compile(text, [MUTATION_TYPES.object], this.#isNew(text));
  }

  /** An expression that makes a list of operations. */
  jsonPatch(text: string): AdmissionExpression {
    return this.#mutations.compile(text, [types.list(MUTATION_TYPES.jsonPatch)], this.#isNew(text));
  }
}
