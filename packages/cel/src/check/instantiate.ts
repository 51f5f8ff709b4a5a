import type { Substitutions } from './assignability.ts';
import type { Overload } from './declarations.ts';
import type { CelType } from './types.ts';

/** Types of an overload in one call. */
export interface Signature {
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

/** Returns the signature of an overload with type parameters that no other call shares. */
export function instantiate(overload: Overload, substitutions: Substitutions): Signature {
  const instances = new Map<string, CelType>();
  const replace = (type: CelType): CelType => {
    if (type.kind === 'parameter') {
      const parameter = instances.get(type.name) ?? substitutions.freshParameter();
      instances.set(type.name, parameter);
      return parameter;
    }
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map(replace);
    return parameters.some((parameter, i) => parameter !== type.parameters[i])
      ? { ...type, parameters }
      : type;
  };
  return { parameters: overload.parameters.map(replace), result: replace(overload.result) };
}
