import { compareUtf8, type UserInfo } from '@ashlar/core';
import type { ConfiguredSchema, FlowSubject } from '../flow-objects.ts';
import { compileRule, type RequestMatch } from './compile-rule.ts';
import type { FlowRequest } from './flow-request.ts';
import { isSubject, type MatchedUser } from './subjects.ts';

/** A schema whose rules are compiled. */
interface CompiledSchema<T> {
  readonly flowClass: T;
  readonly rules: readonly { readonly subjects: readonly FlowSubject[]; readonly matches: RequestMatch }[];
}

/** A schema with rules that match a user. */
interface Candidate<T> {
  readonly flowClass: T;
  readonly matches: readonly RequestMatch[];
}

/**
 * Finds the class of a request: the first flow schema, by precedence and then by name, with a rule for the user and the request
 * (semantics/requests#priority-and-fairness). The schemas with rules for a user are found once for each user object.
 */
export class Classifier<T> {
  readonly #schemas: readonly CompiledSchema<T>[];
  readonly #otherwise: T;
  readonly #candidates = new WeakMap<UserInfo, readonly Candidate<T>[]>();

  /**
   * @param classOf the class of a schema; undefined if its priority level does not exist: the schema is ignored
   * @param otherwise the class of requests that no schema matches
   */
  constructor(
    schemas: readonly ConfiguredSchema[],
    classOf: (schema: ConfiguredSchema) => T | undefined,
    otherwise: T,
  ) {
    this.#otherwise = otherwise;
    this.#schemas = [...schemas].sort(byPrecedence).flatMap((schema) => {
      const flowClass = classOf(schema);
      return flowClass === undefined ? [] : [compileSchema(schema, flowClass)];
    });
  }

  classify(user: UserInfo, request: FlowRequest): T {
    for (const { flowClass, matches } of this.#candidatesOf(user))
      for (const isMatch of matches) if (isMatch(request)) return flowClass;
    return this.#otherwise;
  }

  #candidatesOf(user: UserInfo): readonly Candidate<T>[] {
    let candidates = this.#candidates.get(user);
    if (!candidates) {
      const matched = { name: user.name, groups: new Set(user.groups) };
      candidates = this.#schemas.flatMap((schema) => candidateOf(schema, matched));
      this.#candidates.set(user, candidates);
    }
    return candidates;
  }
}

/** Schemas are asked in this order. */
function byPrecedence(a: ConfiguredSchema, b: ConfiguredSchema): number {
  const difference = precedenceOf(a) - precedenceOf(b);
  return difference || compareUtf8(a.metadata.name ?? '', b.metadata.name ?? '');
}

const precedenceOf = ({ spec }: ConfiguredSchema): number => spec?.matchingPrecedence ?? DEFAULT_PRECEDENCE;
const DEFAULT_PRECEDENCE = 1000;

function compileSchema<T>({ spec }: ConfiguredSchema, flowClass: T): CompiledSchema<T> {
  const rules = (spec?.rules ?? []).map((rule) => ({
    subjects: rule.subjects ?? [],
    matches: compileRule(rule),
  }));
  return { flowClass, rules };
}

function candidateOf<T>({ flowClass, rules }: CompiledSchema<T>, user: MatchedUser): readonly Candidate<T>[] {
  const matches = rules
    .filter(({ subjects }) => subjects.some((subject) => isSubject(user, subject)))
    .map(({ matches }) => matches);
  return matches.length === 0 ? [] : [{ flowClass, matches }];
}
