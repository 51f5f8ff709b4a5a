import type { CheckedExpression, CheckResult } from '../check/checked-expression.ts';
import { check } from '../check/checker.ts';
import { DeclarationScope, type ObjectType, type ObjectTypeLookup } from '../check/declaration-scope.ts';
import { type FunctionDeclaration, type Library, mergeFunctions } from '../check/declarations.ts';
import { validateLiterals } from '../check/literal-checks.ts';
import { type CelType, types } from '../check/types.ts';
import { type CostModel, specificationCosts } from '../cost/cost-model.ts';
import { type Estimate, estimateCost } from '../cost/estimate.ts';
import type { SizeHints } from '../cost/estimate-model.ts';
import { Interruption } from '../cost/interruption.ts';
import { allowSteps } from '../cost/work.ts';
import { crossTypeOverloads, standardLibrary } from '../libraries/standard.ts';

import { PlanError, type PlanOptions } from '../plan/plan.ts';
import { Program } from '../plan/program.ts';
import type { ParsedExpression } from '../syntax/ast.ts';
import type { Macro } from '../syntax/macros.ts';
import { bindingMacros, standardMacros } from '../syntax/macros.ts';
import type { ParseOptions, ParseResult } from '../syntax/parse-options.ts';
import { parse } from '../syntax/parser.ts';
import { type Issue, issuesText } from '../syntax/source.ts';

/** Libraries and variables of expressions, and how they are checked. */
export interface EnvironmentOptions {
  /** Libraries in addition to the standard one; each may add overloads to functions of those before it. */
  readonly libraries?: readonly Library[];
  /** Variables and their types. */
  readonly variables?: Readonly<Record<string, CelType>>;
  /** Functions of the host, see `defineFunction`. */
  readonly functions?: readonly FunctionDeclaration[];
  /** Types of the host that expressions may name, see `defineType`. */
  readonly types?: readonly CelType[];
  /** Object types by name: a list, or a lookup. */
  readonly objectTypes?: readonly ObjectType[] | ObjectTypeLookup;
  /** Names are looked up in this container and those around it. */
  readonly container?: string;
  /** Cost model of evaluations; false disables metering. The specification's model by default. */
  readonly costModel?: CostModel | false;
  /** Whether constant parts are folded, so that they are free; true by default. */
  readonly foldConstants?: boolean;
  /** Whether the checker accepts `1 < 1.5`; true by default. */
  readonly crossTypeComparison?: boolean;
  /** Whether all elements of a list or map literal must be of one type; false by default. */
  readonly homogeneousLiterals?: boolean;
  /** Whether literal durations, timestamps, patterns and formats are checked at compile time; false by default. */
  readonly checkLiterals?: boolean;
  /** Macros besides those of the libraries; by default those of the language and `cel.bind`. */
  readonly languageMacros?: readonly Macro[];
  /** Whether estimates know the sizes of elements that an expression itself puts together; true by default. */
  readonly estimatesElements?: boolean;
  /** Limits and macros of the parser; macros are those of the libraries by default. */
  readonly syntax?: ParseOptions;
}

/** Options of a program that do not change its results or costs. */
export type ProgramOptions = Pick<PlanOptions, 'generalLoops'>;

/** Result of compiling: a program, or all issues and their text. */
export type Compilation =
  | { readonly ok: true; readonly program: Program; readonly expression: CheckedExpression }
  | {
      readonly ok: false;
      /** Phase of the failure: parsing, checking or planning. */
      readonly stage: 'parse' | 'check' | 'plan';
      readonly issues: readonly Issue[];
      /** The issues with positions and carets; for stage `plan` only the reason. */
      readonly text: string;
    };

/** Parses, checks, estimates and plans expressions over one set of declarations. Immutable. */
export interface Environment {
  readonly options: EnvironmentOptions;
  parse(text: string): ParseResult;
  check(parsed: ParsedExpression): CheckResult;
  /** Plans a parsed expression without checking it. Throws PlanError. */
  program(expression: ParsedExpression | CheckedExpression, options?: ProgramOptions): Program;
  /** Parses, checks and plans an expression. Never throws. */
  compile(text: string): Compilation;
  /** The type of an expression; undefined if it is invalid. */
  typeOf(text: string): CelType | undefined;
  /** Estimates the minimum and maximum cost of an evaluation from known sizes. */
  estimate(expression: CheckedExpression, sizes?: SizeHints): Estimate;
  /** An extended environment: libraries, variables, functions and types are added, other options replaced. */
  extend(more: EnvironmentOptions): Environment;
}

/**
 * Creates an environment.
 * @example
 * const environment = createEnvironment({ variables: { replicas: types.int } });
 * const compiled = environment.compile('replicas <= 5');
 * if (compiled.ok) compiled.program.evaluate({ replicas: 3 }); // { ok: true, value: true, cost: 2 }
 */
export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  return new DeclaredEnvironment(options);
}

/** The declarations of libraries and hosts, merged. */
interface Declared {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly macros: readonly Macro[];
}

const ALL_MACROS: readonly Macro[] = [...standardMacros, ...bindingMacros];

function declaredBy(options: EnvironmentOptions): Declared {
  const { libraries = [], functions = [], types: own = [], languageMacros = ALL_MACROS } = options;
  const all: readonly Library[] = [standardLibrary, ...libraries, { name: 'host', functions }];
  const named = [...all.flatMap((library) => library.types ?? []), ...own];
  return {
    functions: mergeFunctions(all),
    typeNames: new Map(named.map((type) => [type.name, type])),
    macros: [...languageMacros, ...all.flatMap((library) => library.macros ?? [])],
  };
}

/** Steps of compiling one expression: patterns and other constants are prepared. */
const COMPILE_STEPS = 500_000_000;
const TOO_MUCH_TO_COMPILE = 'the patterns and constants of the expression are too large to be compiled';

class DeclaredEnvironment implements Environment {
  readonly options: EnvironmentOptions;
  readonly #declared: Declared;
  readonly #scope: DeclarationScope;
  readonly #syntax: ParseOptions;
  readonly #model: CostModel | undefined;

  constructor(options: EnvironmentOptions, declared: Declared = declaredBy(options)) {
    this.options = options;
    this.#declared = declared;
    this.#scope = scopeOf(options, declared);
    this.#syntax = { macros: declared.macros, ...options.syntax };
    this.#model = options.costModel === false ? undefined : (options.costModel ?? specificationCosts);
  }

  parse(text: string): ParseResult {
    return parse(text, this.#syntax);
  }

  check(parsed: ParsedExpression): CheckResult {
    const result = check(parsed, this.#scope);
    const { checkLiterals = false, homogeneousLiterals = false } = this.options;
    if (!result.ok || !(checkLiterals || homogeneousLiterals)) return result;
    const issues = validateLiterals(result.expression, {
      contents: checkLiterals,
      elements: homogeneousLiterals,
    });
    return issues.length > 0 ? { ok: false, issues } : result;
  }

  program(expression: ParsedExpression | CheckedExpression, options: ProgramOptions = {}): Program {
    return new Program(expression, {
      ...options,
      scope: this.#scope,
      model: this.#model,
      foldConstants: this.options.foldConstants ?? true,
    });
  }

  compile(text: string): Compilation {
    const parsed = this.parse(text);
    if (!parsed.ok) return failed(text, 'parse', parsed.issues);
    const outer = allowSteps(COMPILE_STEPS);
    try {
      return this.#compileParsed(text, parsed.expression);
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      return failed(text, 'check', [{ message: TOO_MUCH_TO_COMPILE, position: -1 }]);
    } finally {
      allowSteps(outer);
    }
  }

  #compileParsed(text: string, expression: ParsedExpression): Compilation {
    const checked = this.check(expression);
    if (!checked.ok) return failed(text, 'check', checked.issues);
    try {
      return { ok: true, program: this.program(checked.expression), expression: checked.expression };
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      const issues = [{ message: error.message, position: error.position }];
      return { ok: false, stage: 'plan', issues, text: error.message };
    }
  }

  typeOf(text: string): CelType | undefined {
    const parsed = this.parse(text);
    const checked = parsed.ok ? this.check(parsed.expression) : parsed;
    return checked.ok ? checked.expression.type : undefined;
  }

  estimate(expression: CheckedExpression, sizes?: SizeHints): Estimate {
    const { estimatesElements = true } = this.options;
    return estimateCost(expression, { model: this.#model ?? specificationCosts, sizes, estimatesElements });
  }

  extend(more: EnvironmentOptions): Environment {
    const options = {
      ...this.options,
      ...more,
      libraries: joined(this.options.libraries, more.libraries),
      variables: { ...this.options.variables, ...more.variables },
      functions: joined(this.options.functions, more.functions),
      types: joined(this.options.types, more.types),
    };
    // every schema with rules extends an environment by its own types only
    const declaresMore = more.libraries ?? more.functions ?? more.types ?? more.languageMacros;
    return new DeclaredEnvironment(options, declaresMore ? undefined : this.#declared);
  }
}

const joined = <T>(own: readonly T[] = [], more: readonly T[] = []): readonly T[] =>
  more.length === 0 ? own : [...own, ...more];

function failed(text: string, stage: 'parse' | 'check', issues: readonly Issue[]): Compilation {
  return { ok: false, stage, issues, text: issuesText(text, issues) };
}

function scopeOf(options: EnvironmentOptions, { functions, typeNames }: Declared): DeclarationScope {
  return new DeclarationScope({
    container: options.container ?? '',
    variables: new Map(Object.entries(options.variables ?? {})),
    functions,
    typeNames,
    objectTypes: lookupOf(options.objectTypes ?? []),
    disabledOverloads: (options.crossTypeComparison ?? true) ? new Set() : crossTypeOverloads,
  });
}

function lookupOf(objectTypes: readonly ObjectType[] | ObjectTypeLookup): ObjectTypeLookup {
  if (typeof objectTypes === 'function') return objectTypes;
  const byName = new Map(objectTypes.map((type) => [type.name, type]));
  return (name) => byName.get(name);
}

/** Declares a function of the host for {@link EnvironmentOptions.functions}. */
export function defineFunction(declaration: FunctionDeclaration): FunctionDeclaration {
  return declaration;
}

/** Declares an opaque type for {@link EnvironmentOptions.types}. */
export function defineType(name: string, ...parameters: CelType[]): CelType {
  return types.abstract(name, ...parameters);
}
