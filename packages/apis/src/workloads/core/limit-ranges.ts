import { compareUtf8, type FieldError, type JsonObject, objectOf, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import type { ResourceList } from '../pods/container-types.ts';
import { limitItemsErrors } from '../resources/limit-items.ts';
import type { LimitItem, LimitRange } from '../resources/quota-types.ts';
import { limitRangeSchema } from '../shapes/core/limit-range.ts';
import { workloadType } from '../workload-type.ts';

/** Limit ranges; the plugin LimitRanger enforces them (semantics/verbs#kinds). */
export function limitRanges(vocabulary: Vocabulary): ResourceDefinition {
  const validate = ({ spec }: LimitRange): readonly FieldError[] =>
    limitItemsErrors(spec?.limits, vocabulary);
  return workloadType({
    group: '',
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    scope: 'Namespaced',
    schema: limitRangeSchema,
    rules: { 'api.core.v1.LimitRangeItem': withLimits },
    strategy: {
      updateChecks: ['metadata'],
      allowsCreateOnUpdate: true,
      namesNewObjects: true,
      validate,
      validateUpdate: validate,
    },
  });
}

/** Of containers: a maximum is a default limit, a default limit and a minimum are default requests. */
function withLimits(item: JsonObject): JsonObject {
  const { type, max, min, default: limit, defaultRequest } = item as LimitItem;
  if (type !== 'Container') return item;
  const limits = merged(max, limit);
  const requests = merged(min, limits, defaultRequest);
  return {
    ...item,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  };
}

/** Amounts by name, sorted; later lists take precedence. */
function merged(...lists: readonly (ResourceList | undefined)[]): ResourceList {
  const amounts = new Map(lists.flatMap((list) => Object.entries(list ?? {})));
  return objectOf([...amounts].sort(([a], [b]) => compareUtf8(a, b)));
}
