import { compareUtf8 } from '../text/utf8.ts';
import { compileLabelRequirements } from './label-conditions.ts';
import { type LabelRequirement, type Labels, labelRequirementText } from './label-requirement.ts';
import { readLabelRequirements } from './label-selector-reader.ts';

/** A compiled label selector (semantics/list-and-watch#label-selectors). */
export interface LabelSelector {
  /** All must match; sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Selects everything. */
  readonly isEmpty: boolean;
  matches(labels: Labels | undefined): boolean;
  /** The query form, which `parseLabelSelector` parses. */
  toString(): string;
}

const NO_LABELS: Labels = Object.freeze({});

/**
 * Parses the query form of a label selector, `labelSelector=` of a request. The empty string selects
 * everything.
 *
 * @example
 * const selector = parseLabelSelector('tier in (web,db),!legacy');
 * selector.matches({ tier: 'web' }); // true
 * selector.toString(); // !legacy,tier in (db,web)
 *
 * @throws ParseError with the recorded texts of semantics/list-and-watch#label-selectors
 */
export function parseLabelSelector(text: string): LabelSelector {
  return labelSelectorOf(readLabelRequirements(text));
}

/** The selector of well-formed requirements (see `labelRequirement`). */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const ordered = [...requirements].sort((a, b) => compareUtf8(a.key, b.key));
  const matches = compileLabelRequirements(ordered);
  return {
    requirements: ordered,
    isEmpty: ordered.length === 0,
    matches: (labels) => matches(labels ?? NO_LABELS),
    toString: () => ordered.map(labelRequirementText).join(','),
  };
}

/** Selects every object. */
export const everyLabel: LabelSelector = labelSelectorOf([]);

/** Selects no object. */
export const noLabel: LabelSelector = {
  requirements: [],
  isEmpty: false,
  matches: () => false,
  toString: () => '',
};
