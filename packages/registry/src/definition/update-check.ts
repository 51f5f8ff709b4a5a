/**
 * A check of a changed object: its metadata as those of a new one (`metadata`), or against the stored ones
 * (`metadata-change`), or the object as a new one (`object`), or its changes (`change`: `validateUpdate` of the kind or of the
 * subresource, which comes last where it is not listed). Kinds combine them, so that one error may be reported several times.
 */
export type UpdateCheck = 'metadata' | 'metadata-change' | 'object' | 'change';
