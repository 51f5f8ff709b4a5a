import { ACCUMULATOR, type Expression, Operator } from './ast.ts';
import { MacroError } from './macro-error.ts';
import type { NodeFactory } from './node-factory.ts';

/** A macro that takes any number of arguments. */
export const VARIABLE_ARGUMENTS = -1;

/** A call that is rewritten while parsing. */
export interface Macro {
  readonly name: string;
  /** Whether it is called on a target, as in `list.all(…)`. */
  readonly member: boolean;
  /** Number of arguments, or {@link VARIABLE_ARGUMENTS}. */
  readonly arguments: number;
  /** The expansion of the call; undefined leaves the call unchanged. Throws {@link MacroError}. */
  expand(
    make: NodeFactory,
    args: readonly Expression[],
    target: Expression | undefined,
  ): Expression | undefined;
}

/** Returns the key of a macro: name, arity and whether it has a target. */
export function macroKey(macro: Pick<Macro, 'name' | 'member' | 'arguments'>): string {
  return `${macro.name}:${macro.arguments}:${macro.member}`;
}

const LEGACY_ACCUMULATOR = '__result__';

function loopVariable(node: Expression, message: string): string {
  if (node.kind !== 'identifier') throw new MacroError(message, node.position);
  if (node.name === ACCUMULATOR || node.name === LEGACY_ACCUMULATOR) {
    throw new MacroError('iteration variable overwrites accumulator variable', node.position);
  }
  return node.name;
}

/** The variables of a loop: one, or two where the macro takes two. */
interface LoopVariables {
  readonly variable: string;
  readonly secondVariable: string | undefined;
}

function simpleNames(args: readonly Expression[], count: 1 | 2): LoopVariables {
  const message = 'argument must be a simple name';
  const [first, second] = args as [Expression, Expression];
  if (count === 1) return { variable: loopVariable(first, message), secondVariable: undefined };
  for (const node of [first, second])
    if (node.kind !== 'identifier') throw new MacroError(message, node.position);
  if (first.kind === 'identifier' && second.kind === 'identifier' && first.name === second.name) {
    throw new MacroError(`duplicate variable name: ${first.name}`, second.position);
  }
  return { variable: loopVariable(first, message), secondVariable: loopVariable(second, message) };
}

const has: Macro = {
  name: 'has',
  member: false,
  arguments: 1,
  expand(make, [argument]) {
    if (argument?.kind !== 'select')
      throw new MacroError('invalid argument to has() macro', argument?.position);
    return make.select(argument.operand, argument.field, true);
  },
};

type Quantifier = 'all' | 'exists' | 'exists_one';

function quantifier(name: string, kind: Quantifier, variables: 1 | 2): Macro {
  return {
    name,
    member: true,
    arguments: variables + 1,
    expand(make, args, target) {
      const names = simpleNames(args, variables);
      const predicate = args[variables] as Expression;
      return make.comprehension({
        range: target as Expression,
        ...names,
        accumulator: ACCUMULATOR,
        ...quantifierParts[kind](make, predicate),
      });
    },
  };
}

const quantifierParts = {
  all: (make: NodeFactory, predicate: Expression) => ({
    initial: make.constant(true),
    condition: make.call(Operator.notStrictlyFalse, [make.accumulator()]),
    step: make.call(Operator.and, [make.accumulator(), predicate]),
    result: make.accumulator(),
  }),
  exists: (make: NodeFactory, predicate: Expression) => ({
    initial: make.constant(false),
    condition: make.call(Operator.notStrictlyFalse, [make.call(Operator.not, [make.accumulator()])]),
    step: make.call(Operator.or, [make.accumulator(), predicate]),
    result: make.accumulator(),
  }),
  exists_one: (make: NodeFactory, predicate: Expression) => ({
    initial: make.constant(0),
    condition: make.constant(true),
    step: make.call(Operator.conditional, [
      predicate,
      make.call(Operator.add, [make.accumulator(), make.constant(1)]),
      make.accumulator(),
    ]),
    result: make.call(Operator.equals, [make.accumulator(), make.constant(1)]),
  }),
};

/** A loop that appends to a list; `filter` selects elements. */
function collect(
  make: NodeFactory,
  range: Expression,
  names: LoopVariables,
  element: Expression,
  filter: Expression | undefined,
): Expression {
  const initial = make.list([]);
  const condition = make.constant(true);
  const append = make.call(Operator.add, [make.accumulator(), make.list([element])]);
  return make.comprehension({
    range,
    ...names,
    accumulator: ACCUMULATOR,
    initial,
    condition,
    step: onlyWhere(make, filter, append),
    result: make.accumulator(),
  });
}

function onlyWhere(make: NodeFactory, filter: Expression | undefined, step: Expression): Expression {
  return filter ? make.call(Operator.conditional, [filter, step, make.accumulator()]) : step;
}

const NOT_IDENTIFIER = 'argument is not an identifier';

function mapMacro(count: 2 | 3): Macro {
  return {
    name: 'map',
    member: true,
    arguments: count,
    expand(make, args, target) {
      const variable = loopVariable(args[0] as Expression, NOT_IDENTIFIER);
      const element = args[count - 1] as Expression;
      const filter = count === 3 ? args[1] : undefined;
      return collect(make, target as Expression, { variable, secondVariable: undefined }, element, filter);
    },
  };
}

const filter: Macro = {
  name: 'filter',
  member: true,
  arguments: 2,
  expand(make, args, target) {
    const variable = loopVariable(args[0] as Expression, NOT_IDENTIFIER);
    const names = { variable, secondVariable: undefined };
    return collect(make, target as Expression, names, args[0] as Expression, args[1]);
  },
};

/** The macros of the language before one of them had a second name. */
export const earlierMacros: readonly Macro[] = [
  has,
  quantifier('all', 'all', 1),
  quantifier('exists', 'exists', 1),
  quantifier('exists_one', 'exists_one', 1),
  mapMacro(2),
  mapMacro(3),
  filter,
];

/** The macros of the language itself (language definition, "Macros"). */
export const standardMacros: readonly Macro[] = [...earlierMacros, quantifier('existsOne', 'exists_one', 1)];

function transformList(count: 3 | 4): Macro {
  return {
    name: 'transformList',
    member: true,
    arguments: count,
    expand(make, args, target) {
      const names = simpleNames(args, 2);
      const only = count === 4 ? args[2] : undefined;
      return collect(make, target as Expression, names, args[count - 1] as Expression, only);
    },
  };
}

/** Function with which {@link twoVariableMacros} insert into maps. */
export const MAP_INSERT = 'cel.@mapInsert';

function transformMap(name: 'transformMap' | 'transformMapEntry', count: 3 | 4): Macro {
  return {
    name,
    member: true,
    arguments: count,
    expand(make, args, target) {
      const names = simpleNames(args, 2);
      const transform = args[count - 1] as Expression;
      const added = name === 'transformMap' ? [make.identifier(names.variable), transform] : [transform];
      const step = make.call(MAP_INSERT, [make.accumulator(), ...added]);
      return make.comprehension({
        range: target as Expression,
        ...names,
        accumulator: ACCUMULATOR,
        initial: make.map([]),
        condition: make.constant(true),
        step: onlyWhere(make, count === 4 ? args[2] : undefined, step),
        result: make.accumulator(),
      });
    },
  };
}

/** Comprehensions over index and element, or key and value. */
export const twoVariableMacros: readonly Macro[] = [
  quantifier('all', 'all', 2),
  quantifier('exists', 'exists', 2),
  quantifier('existsOne', 'exists_one', 2),
  quantifier('exists_one', 'exists_one', 2),
  transformList(3),
  transformList(4),
  transformMap('transformMap', 3),
  transformMap('transformMap', 4),
  transformMap('transformMapEntry', 3),
  transformMap('transformMapEntry', 4),
];

const UNUSED_VARIABLE = '#unused';

/** `result` evaluated with a name bound to `initial`: a loop that never runs. */
export function bind(make: NodeFactory, name: string, initial: Expression, result: Expression): Expression {
  return make.comprehension({
    range: make.list([]),
    variable: UNUSED_VARIABLE,
    secondVariable: undefined,
    accumulator: name,
    initial,
    condition: make.constant(false),
    step: make.identifier(name),
    result,
  });
}

/** `cel.bind(name, value, expression)`. */
export const bindingMacros: readonly Macro[] = [
  {
    name: 'bind',
    member: true,
    arguments: 3,
    expand(make, args, target) {
      if (target?.kind !== 'identifier' || target.name !== 'cel') return undefined;
      const [name, initial, result] = args as [Expression, Expression, Expression];
      if (name.kind !== 'identifier') {
        throw new MacroError('cel.bind() variable names must be simple identifiers', name.position);
      }
      return bind(make, name.name, initial, result);
    },
  },
];

function optionalMacro(name: 'optMap' | 'optFlatMap'): Macro {
  return {
    name,
    member: true,
    arguments: 2,
    expand(make, args, target) {
      const [variable, mapped] = args as [Expression, Expression];
      if (variable.kind !== 'identifier') {
        throw new MacroError(`${name}() variable name must be a simple identifier`, variable.position);
      }
      const present = target as Expression;
      const value = make.call('value', [], make.copy(present));
      const bound = bind(make, variable.name, value, mapped);
      return make.call(Operator.conditional, [
        make.call('hasValue', [], present),
        name === 'optMap' ? make.call('optional.of', [bound]) : bound,
        make.call('optional.none', []),
      ]);
    },
  };
}

/** Macros over optional values. */
export const optionalMacros: readonly Macro[] = [optionalMacro('optMap'), optionalMacro('optFlatMap')];
