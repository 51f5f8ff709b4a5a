import { sortSteps } from '../contracts/sort-steps.ts';
import type { Steps } from '../contracts/steps.ts';
import { compareUtf8 } from '../text/utf8.ts';
import { compileLabelRequirements, compileManyRequirementsSteps } from './label-conditions.ts';
import {
  type LabelMatcher,
  type LabelRequirement,
  type Labels,
  labelRequirementText,
} from './label-requirement.ts';
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
  const ordered = [...requirements].sort(byKey);
  return selectorOf(ordered, compileLabelRequirements(ordered));
}

/** As {@link labelSelectorOf}, with pauses, of many requirements or those of many values. */
export function* labelSelectorOfSteps(requirements: readonly LabelRequirement[]): Steps<LabelSelector> {
  const ordered = [...requirements];
  yield* sortSteps(ordered, byKey);
  yield;
  return selectorOf(ordered, yield* compileManyRequirementsSteps(ordered));
}

const byKey = (a: LabelRequirement, b: LabelRequirement): number => compareUtf8(a.key, b.key);

function selectorOf(ordered: readonly LabelRequirement[], matches: LabelMatcher): LabelSelector {
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
