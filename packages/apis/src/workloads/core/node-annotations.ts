import { type FieldError, type ObjectMeta, runAtOnce, type Vocabulary } from '@ashlar/core';
import { annotationDecoder } from '../annotated-value.ts';
import { annotationErrors } from '../annotation-errors.ts';
import { each, invalidWhen, requiredWhen } from '../field-rules.ts';
import { taint } from '../shapes/core/affinity.ts';
import { type Taint, taintErrorsSteps } from './node-taints.ts';

interface AvoidedPods {
  readonly preferAvoidPods?: readonly AvoidedPod[];
}

interface AvoidedPod {
  readonly podSignature?: { readonly podController?: { readonly controller?: boolean } | null };
}

const decodeTaints = annotationDecoder<readonly Taint[]>({
  type: 'array',
  items: { ...taint, typeName: 'api.core.Taint' },
});

const decodeAvoided = annotationDecoder<AvoidedPods>({
  type: 'object',
  typeName: 'api.core.v1.AvoidPods',
  properties: {
    preferAvoidPods: {
      type: 'array',
      items: {
        type: 'object',
        typeName: 'api.core.v1.PreferAvoidPodsEntry',
        properties: {
          podSignature: {
            type: 'object',
            typeName: 'api.core.v1.PodSignature',
            properties: {
              podController: {
                type: 'object',
                typeName: 'apimachinery.pkg.apis.meta.v1.OwnerReference',
                optional: true,
                properties: { controller: { type: 'boolean', optional: true } },
              },
            },
          },
        },
      },
    },
  },
});

/** Errors of the annotations that a node had before there were fields: they do nothing anymore, but are still validated. */
export function nodeAnnotationsErrors(
  { annotations = {} }: ObjectMeta,
  { labelDomain }: Vocabulary,
): readonly FieldError[] {
  const path = 'metadata.annotations';
  const taints = `scheduler.alpha.${labelDomain}/taints`;
  const avoided = `scheduler.alpha.${labelDomain}/preferAvoidPods`;
  return [
    ...annotationErrors({
      name: taints,
      text: annotations[taints],
      path,
      decode: decodeTaints,
      errorsOf: (list) => runAtOnce(taintErrorsSteps(list, `${path}.${taints}`)),
    }),
    ...annotationErrors({
      name: avoided,
      text: annotations[avoided],
      path: `${path}.AvoidPods`,
      decode: decodeAvoided,
      errorsOf: ({ preferAvoidPods }) => each(`${path}.${avoided}`, preferAvoidPods, avoidedErrors),
    }),
  ];
}

function avoidedErrors({ podSignature }: AvoidedPod, path: string): readonly FieldError[] {
  const owner = podSignature?.podController;
  const at = `${path}.PodSignature`;
  const isController = owner?.controller ?? false;
  return [
    ...requiredWhen(!owner, at),
    ...invalidWhen(
      Boolean(owner) && !isController,
      `${at}.PodController.Controller`,
      isController,
      'must point to a controller',
    ),
  ];
}
