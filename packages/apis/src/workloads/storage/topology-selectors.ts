import {
  type FieldError,
  FieldErrors,
  MAXIMUM_FIELD_ERRORS,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import { each, follows, NO_ERRORS, required } from '../field-rules.ts';
import { nodeLabelWarning } from '../pods/node-label-warnings.ts';

/** Values of labels that a place must have. */
export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly {
    readonly key?: string;
    readonly values?: readonly string[] | null;
  }[];
}

/** Errors of where volumes of a class can be. */
export function topologiesErrors(
  terms: readonly TopologySelectorTerm[] | undefined,
  path: string,
): readonly FieldError[] {
  // the reference compares with as many empty terms as there are terms
  const comparedTerms = new Map([[EMPTY, terms?.length ?? 0]]);
  return each(path, terms, (term, at) => {
    const labels: Record<string, readonly string[]> = {};
    const errors = each(`${at}.matchLabelExpressions`, term.matchLabelExpressions, (requirement, place) => {
      const { key = '', values } = requirement;
      const isRepeated = Object.hasOwn(labels, key);
      labels[key] = [...new Set(values ?? [])].sort();
      return [
        ...valuesErrors(values ?? [], `${place}.values`),
        ...follows(`${place}.key`, key, qualifiedNameErrors),
        ...(isRepeated ? [FieldErrors.duplicate(`${place}.key`, key)] : NO_ERRORS),
      ];
    });
    const text = textOf(labels);
    const repeats = comparedTerms.get(text) ?? 0;
    comparedTerms.set(text, repeats + 1);
    // a response lists no more
    const length = Math.min(repeats, MAXIMUM_FIELD_ERRORS + 1);
    return [
      ...errors,
      ...Array.from({ length }, () => FieldErrors.duplicate(`${at}.matchLabelExpressions`, '')),
    ];
  });
}

/** Texts of Warning headers about deprecated labels of places. */
export function topologyWarnings(
  terms: readonly TopologySelectorTerm[],
  vocabulary: Vocabulary,
): readonly string[] {
  return terms.flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key = '' }, index) => {
      const why = nodeLabelWarning(key, vocabulary);
      return why === undefined
        ? []
        : [`allowedTopologies[${term}].matchLabelExpressions[${index}].key: ${why}`];
    }),
  );
}

/** A text that is the same for equal terms. */
const textOf = (labels: Readonly<Record<string, readonly string[]>>): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
const EMPTY = textOf({});

function valuesErrors(values: readonly string[], path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return [
    ...required(path, values),
    ...each(path, values, (value, at) => {
      const isRepeated = seen.has(value);
      seen.add(value);
      return isRepeated ? [FieldErrors.duplicate(at, value)] : NO_ERRORS;
    }),
  ];
}
