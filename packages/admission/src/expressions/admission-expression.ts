import {
  type CelType,
  declaredTypeText,
  type EnvironmentSet,
  environmentSet,
  jsonPatchLibrary,
  type ObjectType,
  type Program,
  policyDeclarations,
  sameType,
  types,
  withMutationTypes,
} from '@ashlar/cel';
import type { Vocabulary } from '@ashlar/core';

/** An expression of a webhook or a policy, compiled; what cannot be compiled is an error when it is evaluated. */
export interface AdmissionExpression {
  /** As messages print it. */
  readonly text: string;
  readonly program: Program | undefined;
  /** Why it cannot be compiled; empty if it can. */
  readonly error: string;
}

/** Which variables expressions have besides the object, the request and the namespace. */
export interface AdmissionScopeOptions {
  readonly vocabulary: Vocabulary;
  /** Whether there are `params`. */
  readonly params: boolean;
  /** Whether there is an `authorizer`; default true. */
  readonly authorizer?: boolean;
  /** Whether expressions make objects and patches; default false. */
  readonly mutation?: boolean;
  /** Types of `variables`, which may grow; absent if there are none. */
  readonly variables?: ReadonlyMap<string, CelType>;
}

/** The release whose expressions are accepted, apart from those that are stored already. */
const RELEASE = '1.32';

/** Compiles expressions over one set of variables (semantics/admission#validatingadmissionpolicy). */
export class AdmissionScope {
  readonly #environments: EnvironmentSet;

  constructor(options: AdmissionScopeOptions) {
    this.#environments = environmentsOf(options);
  }

  /**
   * Compiles an expression whose results are of one of the types; of any type if there are none.
   * @param isNew whether only what the release before knows is accepted
   */
  compile(text: string, results: readonly CelType[], isNew: boolean): AdmissionExpression {
    const { forNew, forStored } = this.#environments;
    const compiled = (isNew ? forNew : forStored).compile(text);
    if (!compiled.ok) {
      const what = compiled.stage === 'plan' ? 'program instantiation failed' : 'compilation failed';
      return { text, program: undefined, error: `${what}: ${compiled.text}` };
    }
    const { program, expression } = compiled;
    if (results.length === 0 || results.some((type) => sameType(type, expression.type)))
      return { text, program, error: '' };
    const expectedType =
      results.length === 1
        ? declaredTypeText(results[0] as CelType)
        : `one of [${results.map(({ name }) => name).join(' ')}]`;
    const error = `must evaluate to ${expectedType} but got ${declaredTypeText(expression.type)}`;
    return { text, program: undefined, error };
  }
}

/** Name of the type of `variables`. */
export const variablesTypeName = (vocabulary: Vocabulary): string => `${vocabulary.name}.variables`;

/** What is the same for all policies, by what differs between them. */
const shared = new WeakMap<Vocabulary, Map<string, EnvironmentSet>>();

function environmentsOf({ variables, ...options }: AdmissionScopeOptions): EnvironmentSet {
  const { vocabulary, params, authorizer = true, mutation = false } = options;
  if (variables) {
    const name = variablesTypeName(vocabulary);
    const composed: ObjectType = { name, fieldType: (field) => variables.get(field) };
    return declared(options, [composed]).extend({ variables: { variables: types.object(name) } });
  }
  return sharedFor(vocabulary, `${params} ${authorizer} ${mutation}`, () => declared(options, []));
}

function sharedFor(vocabulary: Vocabulary, key: string, make: () => EnvironmentSet): EnvironmentSet {
  const cached = shared.get(vocabulary) ?? new Map<string, EnvironmentSet>();
  shared.set(vocabulary, cached);
  const environments = cached.get(key) ?? make();
  cached.set(key, environments);
  return environments;
}

function declared(
  { vocabulary, params, authorizer = true, mutation = false }: AdmissionScopeOptions,
  objectTypes: readonly ObjectType[],
): EnvironmentSet {
  const declarations = policyDeclarations(vocabulary, {
    objectTypes,
    authorizer,
    ...(params && { params: types.dyn }),
  });
  const all = environmentSet(RELEASE, { vocabulary });
  if (!mutation) return all.extend(declarations);
  const withPatches = sharedFor(vocabulary, 'patches', () => all.extend({ libraries: [jsonPatchLibrary] }));
  return withPatches.extend(withMutationTypes(declarations));
}

/** Returns the type that a variable has for those who read it: objects are not described any further. */
export function variableType(type: CelType | undefined): CelType {
  if (!type || type.nullable) return types.dyn;
  const [first, second] = type.parameters;
  if (type.kind === 'list') return types.list(variableType(first));
  if (type.kind === 'map') return types.map(variableType(first), variableType(second));
  return PLAIN_KINDS.has(type.kind) ? type : types.dyn;
}

const PLAIN_KINDS: ReadonlySet<string> = new Set<CelType['kind']>([
  ...(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration', 'null_type'] as const),
]);
