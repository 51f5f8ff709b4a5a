import { annotationDecoder } from './annotated-value.ts';
import type { Toleration } from './pods/placement-types.ts';
import { toleration } from './shapes/core/affinity.ts';

type Decode = (text: string) => readonly Toleration[] | undefined;

const decoderOf = (typeName: string): Decode =>
  annotationDecoder<readonly Toleration[]>({ type: 'array', items: { ...toleration, typeName } });

/** Decodes tolerations in an annotation of a pod. @throws SyntaxError, TypedDecodeError */
export const annotatedTolerations: Decode = decoderOf('api.core.Toleration');

/** Decodes tolerations in an annotation of a namespace. @throws SyntaxError, TypedDecodeError */
export const namespaceTolerations: Decode = decoderOf('api.v1.Toleration');
