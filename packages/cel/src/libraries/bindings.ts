import type { Library } from '../check/declarations.ts';
import { bindingMacros } from '../syntax/macros.ts';

/** `cel.bind(name, value, expression)`: a name for a part of an expression, computed once and only when read. */
export const bindingLibrary: Library = { name: 'bindings', macros: bindingMacros };
