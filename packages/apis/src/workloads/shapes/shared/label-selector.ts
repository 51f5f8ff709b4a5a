import type { Schema } from '@ashlar/core';
import { atomic, printed, string, stringMap, type } from '../../../types/schema-fields.ts';
import { listOf, textOf, texts } from '../../shape-fields.ts';

// Label selectors in objects (semantics/list-and-watch#label-selectors).

/** Schema of `LabelSelectorRequirement`. */
export const labelSelectorRequirement: Schema = type(
  'apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement',
  {
    key: printed(string(1)),
    operator: printed(textOf(2, 'apimachinery.pkg.apis.meta.v1.LabelSelectorOperator')),
    values: texts(3, atomic),
  },
  { required: ['key', 'operator'] },
);

/** Schema of `LabelSelector`. */
export const labelSelector: Schema = type(
  'apimachinery.pkg.apis.meta.v1.LabelSelector',
  {
    matchLabels: stringMap(1),
    matchExpressions: listOf(2, labelSelectorRequirement, atomic),
  },
  { mapType: 'atomic' },
);
