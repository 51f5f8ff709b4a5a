import {
  type Bindings,
  type CelType,
  compileRuleTree,
  type Environment,
  evaluateRuleTree,
  type RuleBudget,
  schemaType,
  schemaValue,
  serverEnvironment,
  type Vetting,
  vetExpression,
} from '@ashlar/cel';
import { type JsonValue, type Schema, type Vocabulary, vocabularies } from '@ashlar/core';
import { describe } from 'vitest';

/** Expressions with one vocabulary. */
export interface ClauseExpressions {
  readonly vocabulary: Vocabulary;
  /** All libraries of a server. */
  readonly environment: Environment;
  /** Compiles and evaluates. */
  vet(expression: string, variables?: Readonly<Record<string, Variable>>): Vetting;
  /** The value of an expression, or its error with a prefix. */
  answerOf(expression: string, variables?: Readonly<Record<string, Variable>>): JsonValue;
  /** The errors of a schema's rules for a value. */
  failures(schema: Schema, self: JsonValue, budget?: RuleBudget): string[];
}

/** A variable with its known sizes. */
export interface Variable {
  readonly type: CelType;
  readonly value: unknown;
}

/** Runs the tests of a section of the specification once per vocabulary. */
export function forEachVocabulary(section: string, tests: (expressions: ClauseExpressions) => void): void {
  describe.each(Object.entries(vocabularies))(`${section}, in the words of %s`, (_name, vocabulary) => {
    tests(clauseExpressions(vocabulary));
  });
}

function clauseExpressions(vocabulary: Vocabulary): ClauseExpressions {
  const environment = serverEnvironment({ vocabulary });
  const vet: ClauseExpressions['vet'] = (expression, variables = {}) => {
    const each = <V>(pick: (variable: Variable) => V): Record<string, V> =>
      Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, pick(variable)]));
    const bindings = each(({ value }) => value) as Bindings;
    return vetExpression(environment.extend({ variables: each(({ type }) => type) }), expression, bindings);
  };
  return {
    vocabulary,
    environment,
    vet,
    answerOf(expression, variables) {
      const result = vet(expression, variables);
      return result.ok ? result.value : `error: ${result.error}`;
    },
    failures(schema, self, budget = { remaining: 10_000_000 }) {
      const tree = compileRuleTree(schema, false, environment);
      if (!tree) throw new Error('the schema has no rules');
      return evaluateRuleTree(tree, { self }, budget).map(({ detail }) => detail);
    },
  };
}

/** The schema with rules. */
export function withRules(schema: Schema, ...rules: string[]): Schema {
  return { ...schema, validations: rules.map((rule) => ({ rule })) };
}

/** A value as expressions see it through a schema, with its type. */
export function throughSchema(schema: Schema, value: JsonValue): Variable {
  const known = schemaType(schema);
  if (!known) throw new Error('expressions do not see the schema');
  return { type: known.type, value: schemaValue(value, schema) };
}
