import { type ApiObject, type FieldError, type LabelSelectorObject, labelSelectorText } from '@ashlar/core';
import type { ViewSubresource } from '@ashlar/registry';
import { ageColumn, column } from '../types/columns.ts';
import { integerColumn } from './cells.ts';
import { nonNegative } from './field-rules.ts';
import { scaleSchema } from './shapes/apps/scale.ts';

/** How many of something are wanted and there (semantics/verbs#subresources). */
interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

/** A kind that can be scaled. */
interface Scalable extends ApiObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelectorObject | null };
  readonly status?: { readonly replicas?: number };
}

/** What of a scale differs between kinds. */
export interface ScaleOptions {
  /** The selector in the form of queries. */
  selectorOf(object: ApiObject): string;
}

const structuredSelector = ({ spec }: Scalable): string => {
  const text = labelSelectorText(spec?.selector);
  return text === '<none>' || text === '<error>' ? '' : text;
};

/** The `scale` of a kind whose number stands in `spec.replicas` (semantics/verbs#subresources). */
export function scaleView(
  { selectorOf }: ScaleOptions = { selectorOf: structuredSelector },
): ViewSubresource {
  return {
    name: 'scale',
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    schema: scaleSchema,
    verbs: ['get', 'patch', 'update'],
    columns: [
      column('Name', 'Name of what is scaled.', ({ metadata }) => metadata.name ?? ''),
      integerColumn('Desired', 'How many there are to be.', ({ spec }: Scale) => spec?.replicas),
      integerColumn('Available', 'How many there are.', ({ status }: Scale) => status?.replicas),
      ageColumn,
    ],
    view: (object: Scalable) => toScale(object, selectorOf(object)),
    merge: (scale: Scale, stored: Scalable) => ({
      ...stored,
      spec: { ...stored.spec, replicas: scale.spec?.replicas ?? 0 },
    }),
    validate: ({ spec }: Scale): readonly FieldError[] => nonNegative('spec.replicas', spec?.replicas),
  };
}

function toScale({ metadata, spec, status }: Scalable, selector: string): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const replicas = spec?.replicas ?? 0;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name && { name }),
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: status?.replicas ?? 0, ...(selector !== '' && { selector }) },
  };
}
