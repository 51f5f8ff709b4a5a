import {
  type ApiObject,
  type FieldError,
  type GroupResource,
  type LabelSelectorObject,
  labelSelectorText,
  type Vocabulary,
  validateDnsSubdomain,
  validateObjectMeta,
} from '@ashlar/core';
import type { ViewSubresource } from '@ashlar/registry';
import { ageColumn, column } from '../types/columns.ts';
import { type Scale, scaleKind, scaleObject } from '../types/scale-object.ts';
import { integerColumn } from './cells.ts';
import { nonNegative } from './field-rules.ts';

/** A kind that can be scaled. */
interface Scalable extends ApiObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelectorObject | null };
  readonly status?: { readonly replicas?: number };
}

/** The differences of scales between kinds. */
export interface ScaleOptions {
  /** `spec.selector` in query form; by default that of a structured one. */
  selectorOf?(object: ApiObject): string;
  /** As of `ViewSubresource`. */
  readonly missing?: GroupResource;
  /** As of `ViewSubresource`. */
  readonly conflicts: GroupResource;
}

const structuredSelector = ({ spec }: Scalable): string => {
  const text = labelSelectorText(spec?.selector);
  return text === '<none>' || text === '<error>' ? '' : text;
};

/** Texts of selectors: one write asks several times. */
const TEXTS: WeakMap<object, string> = new WeakMap();

function textOf(object: Scalable, selectorOf: (object: ApiObject) => string): string {
  const { selector } = object.spec ?? {};
  if (!selector) return selectorOf(object);
  const known = TEXTS.get(selector);
  if (known !== undefined) return known;
  const text = selectorOf(object);
  TEXTS.set(selector, text);
  return text;
}

/** The `scale` of a kind with `spec.replicas` (semantics/verbs#subresources). */
export function scaleView(
  { selectorOf = structuredSelector, missing, conflicts }: ScaleOptions,
  vocabulary: Vocabulary,
): ViewSubresource {
  const rules = {
    namespaced: true,
    qualifiedFinalizers: true,
    validateName: validateDnsSubdomain,
    vocabulary,
  };
  return {
    ...scaleKind,
    ...(missing && { missing }),
    conflicts,
    replicasPath: ['spec', 'replicas'],
    columns: [
      column('Name', 'Name of what is scaled.', ({ metadata }) => metadata.name ?? ''),
      integerColumn('Desired', 'How many there are to be.', ({ spec }: Scale) => spec?.replicas),
      integerColumn('Available', 'How many there are.', ({ status }: Scale) => status?.replicas),
      ageColumn,
    ],
    view(object: Scalable) {
      const { spec, status } = object;
      return scaleObject(
        object,
        { desired: spec?.replicas ?? 0, actual: status?.replicas ?? 0 },
        textOf(object, selectorOf),
      );
    },
    merge: (scale: Scale, stored: Scalable) => ({
      ...stored,
      spec: { ...stored.spec, replicas: scale.spec?.replicas ?? 0 },
    }),
    validate: ({ metadata, spec }: Scale): readonly FieldError[] => [
      ...validateObjectMeta(metadata, rules),
      ...nonNegative('spec.replicas', spec?.replicas),
    ],
  };
}
