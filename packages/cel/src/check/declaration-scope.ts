import { TypeValue, type Value } from '../values/values.ts';
import type { FunctionDeclaration } from './declarations.ts';
import { type CelType, types } from './types.ts';

/** An object type: its fields by the names that expressions use. */
export interface ObjectType {
  readonly name: string;
  fieldType(field: string): CelType | undefined;
}

/** Finds object types by name. */
export type ObjectTypeLookup = (name: string) => ObjectType | undefined;

/** A name that expressions may use. */
export interface Identifier {
  readonly name: string;
  readonly type: CelType;
  /** Value of a constant or type. */
  readonly value?: Value;
}

/** Declarations, and the container in which names are looked up. */
export interface ScopeOptions {
  readonly container: string;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that expressions may name, such as `int` or `net.IP`. */
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly objectTypes: ObjectTypeLookup;
  /** Overloads that calls must not use. */
  readonly disabledOverloads: ReadonlySet<string>;
}

/** Resolves names of variables, types and functions. */
export class DeclarationScope {
  readonly container: string;
  readonly #options: ScopeOptions;
  /** The container and the containers around it, innermost first, each with a dot. */
  readonly #prefixes: readonly string[];

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.container = options.container;
    this.#prefixes = prefixesOf(options.container);
  }

  /** The names that a name may refer to, innermost container first. */
  candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    return this.#prefixes.length === 1 ? [name] : this.#prefixes.map((prefix) => prefix + name);
  }

  /** The variable, type or constant that a name refers to. */
  findIdentifier(name: string): Identifier | undefined {
    for (const candidate of this.candidates(name)) {
      const found = this.#identifier(candidate);
      if (found) return found;
    }
    return undefined;
  }

  #identifier(name: string): Identifier | undefined {
    const variable = this.#options.variables.get(name);
    if (variable) return { name, type: variable };
    const named = this.#options.typeNames.get(name);
    if (named) return { name, type: types.typeOf(named), value: new TypeValue(named) };
    if (!this.#options.objectTypes(name)) return undefined;
    const object = types.object(name);
    return { name, type: types.typeOf(object), value: new TypeValue(object) };
  }

  /** The function that a name refers to. */
  findFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of this.candidates(name)) {
      const found = this.#options.functions.get(candidate);
      if (found) return found;
    }
    return undefined;
  }

  /** Type of a field of an object type, undefined if there is none. */
  fieldType(object: string, field: string): CelType | undefined {
    return this.#options.objectTypes(object)?.fieldType(field);
  }

  /** Whether calls must not use the overload. */
  isDisabled(overload: string): boolean {
    return this.#options.disabledOverloads.has(overload);
  }
}

function prefixesOf(container: string): string[] {
  const prefixes: string[] = [];
  for (let rest = container; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))) {
    prefixes.push(`${rest}.`);
  }
  prefixes.push('');
  return prefixes;
}
