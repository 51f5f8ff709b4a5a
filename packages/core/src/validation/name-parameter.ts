import { StatusError } from '../errors/status-error.ts';
import { goQuote } from '../text/go-text.ts';
import { validatePathSegment } from './object-name.ts';

/**
 * Returns the name of an object that is to be looked up: a segment of a path (semantics/status#situations).
 * @throws StatusError 400
 */
export function requireNameParameter(name: string | undefined): string {
  if (!name) throw StatusError.badRequest('Name parameter required.');
  const errors = validatePathSegment(name, false);
  if (errors.length > 0)
    throw StatusError.badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(';')}`);
  return name;
}
