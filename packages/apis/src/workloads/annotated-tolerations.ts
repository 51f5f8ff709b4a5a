import { annotationDecoder } from './annotated-value.ts';
import type { Toleration } from './pods/placement-types.ts';
import { toleration } from './shapes/core/affinity.ts';

/** Decodes tolerations in an annotation. @throws SyntaxError, TypedDecodeError */
export const annotatedTolerations: (text: string) => readonly Toleration[] | undefined = annotationDecoder<
  readonly Toleration[]
>({ type: 'array', items: { ...toleration, typeName: 'api.core.Toleration' } });
