import { fixedText, ruleLimits } from '@ashlar/cel';
import { type FieldError, FieldErrors } from '@ashlar/core';

/** The largest cost that is distinguished. */
const MOST = 2n ** 64n - 1n;
/** Minimum share of the limit at which a rule is listed among those that make a schema too expensive. */
const MINIMUM_SHARE = 100n;
const MAXIMUM_LISTED = 4;

const atMost = (cost: bigint): bigint => (cost > MOST ? MOST : cost);

/** Estimated cost of a rule times the maximum occurrences of its place. */
export const timesOccurrences = (cost: bigint, occurrences: bigint): bigint => atMost(cost * occurrences);

/** Adds up the estimated costs of a schema's expressions (semantics/schemas#costs). */
export class RuleCosts {
  #total = 0n;
  #dearest: { readonly path: string; readonly cost: bigint }[] = [];

  /** Adds an expression; returns the error of one that is too expensive by itself. */
  add(what: string, path: string, cost: bigint): FieldError | undefined {
    this.#total = atMost(this.#total + cost);
    if (cost >= ruleLimits.estimatePerDefinition / MINIMUM_SHARE) {
      this.#dearest = [...this.#dearest, { path, cost }]
        .sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0))
        .slice(0, MAXIMUM_LISTED);
    }
    if (cost <= ruleLimits.estimatePerRule) return undefined;
    return FieldErrors.forbidden(path, excessText(what, cost, ruleLimits.estimatePerRule));
  }

  /** Returns the errors of the total cost, at the most expensive rules and at the schema itself. */
  totalErrors(path: string, keyword: string): readonly FieldError[] {
    const limit = ruleLimits.estimatePerDefinition;
    if (this.#total <= limit) return [];
    const contributed =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = `${keyword} estimated rule cost total for entire OpenAPIv3 schema`;
    return [
      ...this.#dearest.map((each) => FieldErrors.forbidden(each.path, contributed)),
      FieldErrors.forbidden(path, excessText(what, this.#total, limit)),
    ];
  }
}

function excessText(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const text = factor > 100 ? 'more than 100x' : `${fixedText(factor, factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
