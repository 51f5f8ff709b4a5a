import type { YamlScalar } from './yaml-resolve.ts';

/** A value with keys of any scalar type. */
export type YamlValue = YamlScalar | YamlSequence | YamlMapping;

export interface YamlSequence {
  readonly type: 'sequence';
  readonly items: YamlValue[];
}

export interface YamlMapping {
  readonly type: 'mapping';
  /** By the key's type and text: `1` and `"1"` are two keys. */
  readonly entries: Map<string, { readonly key: YamlScalar; readonly value: YamlValue }>;
}
