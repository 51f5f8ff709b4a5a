/**
 * A slice of a list: from, to and step; undefined if not given. `isSingle` means that the end follows from
 * the start.
 */
export interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  readonly isSingle: boolean;
}

/** One step of a path, or a constant. */
export type JsonPathNode =
  | { readonly kind: 'constant'; readonly value: string | number | boolean; readonly isFloat?: boolean }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'slice'; readonly slice: Slice }
  | {
      readonly kind: 'filter';
      readonly left: readonly JsonPathNode[];
      readonly operator: string;
      readonly right: readonly JsonPathNode[];
    }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | { readonly kind: 'union'; readonly parts: readonly (readonly JsonPathNode[])[] }
  | { readonly kind: 'identifier'; readonly name: string };

/** A part of a template: text, or the steps within braces. */
export type JsonPathPart = string | readonly JsonPathNode[];
