import type { Expression } from './ast.ts';
import { MacroError } from './macro-error.ts';
import { type Macro, macroKey, VARIABLE_ARGUMENTS } from './macros.ts';
import type { NodeFactory } from './node-factory.ts';
import type { TokenReader } from './token-reader.ts';

/** Creates calls, and what macros make of them. */
export class Calls {
  readonly #tokens: TokenReader;
  readonly #make: NodeFactory;
  readonly #macros = new Map<string, Macro>();

  constructor(tokens: TokenReader, make: NodeFactory, macros: readonly Macro[]) {
    this.#tokens = tokens;
    this.#make = make;
    for (const macro of macros) this.#macros.set(macroKey(macro), macro);
  }

  /** A call, or the expansion of a macro. */
  call(position: number, name: string, args: readonly Expression[], target?: Expression): Expression {
    const member = target !== undefined;
    const macro =
      this.#macros.get(macroKey({ name, member, arguments: args.length })) ??
      this.#macros.get(macroKey({ name, member, arguments: VARIABLE_ARGUMENTS }));
    if (!macro) return this.#make.call(name, args, target, position);
    this.#make.position = position;
    try {
      const expanded = macro.expand(this.#make, args, target);
      if (!expanded) return this.#make.call(name, args, target, position);
      if (expanded.kind !== 'select') expanded.macro = { function: name, target, arguments: args };
      return expanded;
    } catch (error) {
      if (!MacroError.is(error)) throw error;
      this.#tokens.report(error.message, error.position ?? position);
      return this.#make.constant(null, position);
    }
  }
}
