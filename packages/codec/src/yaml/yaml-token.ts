import type { YamlDirective, YamlTag } from './yaml-tags.ts';

/** Kinds of tokens. Indentation becomes brackets: `block-mapping`, `block-sequence`, `block-end`. */
export type YamlTokenType =
  | 'stream-end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | 'flow-sequence'
  | 'flow-sequence-end'
  | 'flow-mapping'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/**
 * A token and the lines, counted from 0, on which it begins and ends. All have the same members, which keeps
 * them small.
 */
export interface YamlToken {
  readonly type: YamlTokenType;
  readonly line: number;
  readonly endLine: number;
  /** The text of a scalar, the name of an anchor or alias. */
  readonly value: string;
  readonly plain: boolean;
  readonly tag: YamlTag | undefined;
  readonly directive: YamlDirective | undefined;
}
