/**
 * A check of a changed object: its metadata as those of a new one (`whole`), or against the stored ones
 * (`change`), or the object as a new one (`object`). Kinds combine them, so that one error may be reported
 * several times.
 */
export type UpdateCheck = 'whole' | 'change' | 'object';
