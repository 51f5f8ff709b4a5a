import { type CelType, sameType, types } from './types.ts';

/** Bindings of type parameters, inferred while a call is checked; failed attempts leave no bindings. */
export class Substitutions {
  readonly #bound = new Map<string, CelType>();
  readonly #trail: [name: string, before: CelType | undefined][] = [];
  #fresh = 0;

  /** A parameter that occurs once. */
  freshParameter(): CelType {
    return types.parameter(`_var${this.#fresh++}`);
  }

  /** Whether a value of the first type can be used as one of the second; parameters of both become bound. */
  assignable(from: CelType, to: CelType): boolean {
    return this.#attempt(() => this.#assign(from, to));
  }

  /** Whether all of the first list are assignable to those of the second. */
  allAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#attempt(() => this.#assignAll(from, to));
  }

  /** The type with its parameters substituted; unbound ones become dyn if requested. */
  resolve(type: CelType, unboundAsDyn: boolean): CelType {
    if (type.kind === 'parameter') {
      const bound = this.#bound.get(type.name);
      if (bound) return this.resolve(bound, unboundAsDyn);
      return unboundAsDyn ? types.dyn : type;
    }
    if (type.parameters.length === 0) return type;
    let changed = false;
    const parameters = type.parameters.map((parameter) => {
      const resolved = this.resolve(parameter, unboundAsDyn);
      if (resolved !== parameter) changed = true;
      return resolved;
    });
    return changed ? { ...type, parameters } : type;
  }

  #attempt(assign: () => boolean): boolean {
    const mark = this.#trail.length;
    if (assign()) return true;
    while (this.#trail.length > mark) {
      const [name, before] = this.#trail.pop() as [string, CelType | undefined];
      if (before) this.#bound.set(name, before);
      else this.#bound.delete(name);
    }
    return false;
  }

  #bind(parameter: CelType, type: CelType): void {
    this.#trail.push([parameter.name, this.#bound.get(parameter.name)]);
    this.#bound.set(parameter.name, type);
  }

  #assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    if (from.length !== to.length) return false;
    for (let i = 0; i < from.length; i++) {
      if (!this.#assign(from[i] as CelType, to[i] as CelType)) return false;
    }
    return true;
  }

  #assign(a: CelType, b: CelType): boolean {
    if (b.kind === 'parameter') {
      const { valid, bound } = this.#substitute(a, b);
      if (valid) return true;
      if (bound) return false;
    }
    if (a.kind === 'parameter') return this.#substitute(b, a).valid;
    if (isDynamic(a) || isDynamic(b)) return true;
    if (a.kind === 'null_type') return takesNull(b);
    if (b.kind === 'null_type') return takesNull(a);
    switch (a.kind) {
      case 'type':
        return b.kind === 'type';
      case 'list':
      case 'map':
      case 'abstract':
        return a.kind === b.kind && a.name === b.name && this.#assignAll(a.parameters, b.parameters);
      default:
        return b.kind === 'any' || (a.kind === b.kind && a.name === b.name);
    }
  }

  /** Whether the type can be bound to the parameter; the more general of two candidates is used. */
  #substitute(type: CelType, parameter: CelType): { valid: boolean; bound: boolean } {
    if (type.kind === 'parameter' && type.name === parameter.name) return { valid: true, bound: true };
    const bound = this.#bound.get(parameter.name);
    if (!bound) {
      if (this.#occurs(parameter, type)) return { valid: false, bound: false };
      this.#bind(parameter, type);
      return { valid: true, bound: false };
    }
    if (sameType(type, bound)) return { valid: true, bound: true };
    if (!this.#assign(type, bound)) return { valid: false, bound: true };
    const general = mostGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#bind(parameter, general);
    return { valid: true, bound: true };
  }

  #occurs(parameter: CelType, within: CelType): boolean {
    if (within.kind === 'parameter') {
      if (within.name === parameter.name) return true;
      const bound = this.#bound.get(within.name);
      return bound !== undefined && this.#occurs(parameter, bound);
    }
    return within.parameters.some((inner) => this.#occurs(parameter, inner));
  }
}

/** Whether the type accepts anything. */
export function isDynamic(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';
}

/** Whether a type is dynamic. */
function isOpen({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'any' || kind === 'parameter';
}

function takesNull(type: CelType): boolean {
  switch (type.kind) {
    case 'abstract':
    case 'object':
    case 'any':
    case 'duration':
    case 'timestamp':
    case 'null_type':
      return true;
    default:
      return type.nullable === true;
  }
}

/** The first type if it is as general as the second, else the second. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return coversOrEquals(a, b) ? a : b;
}

function coversOrEquals(a: CelType, b: CelType): boolean {
  if (isOpen(a)) return true;
  if (isOpen(b)) return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.parameters.length > 0) {
    if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
    return a.parameters.every((parameter, i) => coversOrEquals(parameter, b.parameters[i] as CelType));
  }
  return sameType(a, b);
}
