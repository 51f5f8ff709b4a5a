import {
  type ApiObject,
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  type Vocabulary,
} from '@ashlar/core';
import { printedSelector } from '../printed-selector.ts';

type Selector = Readonly<Record<string, string>>;

/** A replication controller. */
interface Selecting extends ApiObject {
  readonly spec?: { readonly selector?: Selector };
}

/**
 * Errors of an update of a replication controller that was written as another kind: annotations of the stored one tell which of its fields
 * could not be converted, and such a selector stays as it is.
 */
export function nonConvertibleErrors(
  object: Selecting,
  stored: Selecting,
  { labelDomain }: Vocabulary,
): readonly FieldError[] {
  const { annotations = {} } = stored.metadata;
  const [now, before] = [object.spec?.selector ?? {}, stored.spec?.selector ?? {}];
  const isSame = jsonEqual(now as JsonValue, before as JsonValue);
  return Object.entries(annotations).flatMap(([key, value]) => {
    const [prefix = '', field, ...rest] = key.split('/', 3);
    if (!prefix.startsWith(`non-convertible.${labelDomain}`) || field === undefined || rest.length > 0)
      return [];
    if (!field.includes('selector')) return [unknownField(field, value)];
    return isSame
      ? []
      : [
          FieldErrors.invalid(
            'spec.selector',
            printedSelector(now),
            'cannot update non-convertible selector',
          ),
        ];
  });
}

function unknownField(field: string, value: string): FieldError {
  const error = FieldErrors.notFound(field, value);
  return { ...error, message: `${error.message}: unknown non-convertible field` };
}
