import type { Vocabulary } from '@ashlar/core';
import type { Compilation, Environment } from '../environment/environment.ts';
import type { ObjectType } from './declaration-scope.ts';
import { policyDeclarations } from './request-types.ts';
import { objectTypesOf, type SchemaType } from './schema-type.ts';
import { type CelType, types } from './types.ts';

/** An expression that others read as `variables.<name>`. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** Types that a policy is checked against. */
export interface PolicyTypeOptions {
  /** The libraries; see `serverEnvironment`. */
  readonly environment: Environment;
  readonly vocabulary: Vocabulary;
  /** Type of the objects that the policy matches. */
  readonly object: SchemaType;
  /** Type of the parameters, if any. */
  readonly params?: SchemaType;
  readonly variables?: readonly PolicyVariable[];
}

/** Checks expressions of a policy against the type of one kind of objects. */
export interface PolicyTypeChecker {
  /** Returns the errors of an expression as users see them; undefined if there are none. */
  check(expression: string): string | undefined;
}

/**
 * A checker of an admission policy's expressions (suite `policy-types`). A variable that cannot be compiled is of any
 * type: its own errors are reported where it is written.
 */
export function policyTypeChecker(options: PolicyTypeOptions): PolicyTypeChecker {
  const { environment, vocabulary, object, params, variables = [] } = options;
  const fields = new Map<string, CelType>();
  const composed: ObjectType = {
    name: `${vocabulary.name}.variables`,
    fieldType: (field) => fields.get(field),
  };
  const declarations = policyDeclarations(vocabulary, {
    object: object.type,
    authorizer: true,
    objectTypes: [...objectTypesOf(object), ...(params ? objectTypesOf(params) : []), composed],
    ...(params && { params: params.type }),
  });
  const typed = environment
    .extend(declarations)
    .extend({ variables: { variables: types.object(composed.name) } });
  const compile = (expression: string): Compilation => typed.compile(expression);
  for (const { name, expression } of variables) {
    const compiled = compile(expression);
    fields.set(name, compiled.ok ? compiled.expression.type : types.dyn);
  }
  return {
    check(expression) {
      const compiled = compile(expression);
      return compiled.ok ? undefined : compiled.text;
    },
  };
}
