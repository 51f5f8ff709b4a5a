import type { Vocabulary } from '../contracts/vocabulary.ts';
import { type FieldError, FieldErrors, PrintedValue } from '../errors/field-error.ts';
import type { ObjectMeta } from '../objects/api-object.ts';
import { parseTime, printedTime } from '../values/time.ts';
import {
  validateFinalizers,
  validateNoNewFinalizers,
  validateQualifiedFinalizers,
} from './finalizer-validation.ts';
import { validateAnnotations, validateLabels } from './label-validation.ts';
import { validateManagedFields } from './managed-fields-validation.ts';
import { type ObjectNameRule, validateDnsLabel } from './object-name.ts';
import { validateOwnerReferences } from './owner-reference-validation.ts';

/** Rules of metadata that differ between kinds. */
export interface ObjectMetaRules {
  readonly vocabulary: Vocabulary;
  /** Finalizers must be standard ones or have a slash: most built-in kinds (semantics/metadata#owners-and-finalizers). */
  readonly qualifiedFinalizers?: boolean;
  /**
   * Whether this metadata has been validated as that of an object, without an error: then only what differs between rules is validated, names and
   * qualified finalizers, and what an update may not change.
   */
  readonly isKnown?: boolean;
}

/** Rules for an object to be created. */
export interface NewObjectMetaRules extends ObjectMetaRules {
  /** Whether the kind is namespaced. */
  readonly namespaced: boolean;
  /** The kind's rule for names (semantics/metadata#name-formats). */
  readonly validateName: ObjectNameRule;
}

/**
 * Validates the metadata of an object to be created; its name has already been generated
 * (semantics/metadata#name-and-namespace, #owners-and-finalizers).
 * Errors are in the order of semantics/metadata#updates.
 *
 * @example
 * const errors = validateObjectMeta({ name: 'A' }, { namespaced: false, validateName: validateDnsSubdomain,
 * vocabulary });
 * if (errors.length > 0) throw StatusError.invalid('', 'Node', 'A', errors);
 */
export function validateObjectMeta(metadata: ObjectMeta, rules: NewObjectMetaRules): readonly FieldError[] {
  if (rules.isKnown)
    return [...nameErrors(metadata, rules.validateName), ...qualifiedErrors(metadata, rules)];
  return [
    ...nameErrors(metadata, rules.validateName),
    ...namespaceErrors(metadata.namespace ?? '', rules.namespaced),
    ...generationErrors(metadata.generation ?? 0),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
    ...validateOwnerReferences(metadata.ownerReferences),
    ...validateFinalizers(metadata.finalizers),
    ...validateManagedFields(metadata.managedFields),
    ...qualifiedErrors(metadata, rules),
  ];
}

/**
 * Validates new metadata of an object against what is stored (semantics/metadata#updates). Label keys and the
 * like are validated again, identity must not change. The caller has filled in what the server restores
 * silently.
 */
export function validateObjectMetaUpdate(
  metadata: ObjectMeta,
  stored: ObjectMeta,
  rules: ObjectMetaRules,
): readonly FieldError[] {
  return [
    ...(stored.deletionTimestamp ? validateNoNewFinalizers(metadata.finalizers, stored.finalizers) : []),
    ...versionErrors(metadata, stored),
    ...immutableErrors(metadata, stored),
    ...(rules.isKnown ? [] : repeatedErrors(metadata)),
    ...qualifiedErrors(metadata, rules),
  ];
}

/** What is validated on updates although it is no change. */
function repeatedErrors(metadata: ObjectMeta): FieldError[] {
  return [
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
    ...validateOwnerReferences(metadata.ownerReferences),
    ...validateManagedFields(metadata.managedFields),
  ];
}

function nameErrors(
  { name = '', generateName = '' }: ObjectMeta,
  validateName: ObjectNameRule,
): FieldError[] {
  const prefix = generateName === '' ? [] : validateName(generateName, true);
  const errors = prefix.map((why) => FieldErrors.invalid('metadata.generateName', generateName, why));
  if (name === '')
    return [...errors, FieldErrors.required('metadata.name', 'name or generateName is required')];
  return [
    ...errors,
    ...validateName(name, false).map((why) => FieldErrors.invalid('metadata.name', name, why)),
  ];
}

function namespaceErrors(namespace: string, namespaced: boolean): FieldError[] {
  const field = 'metadata.namespace';
  if (!namespaced) return namespace === '' ? [] : [FieldErrors.forbidden(field, 'not allowed on this type')];
  if (namespace === '') return [FieldErrors.required(field)];
  return validateDnsLabel(namespace, false).map((why) => FieldErrors.invalid(field, namespace, why));
}

function generationErrors(generation: number): FieldError[] {
  if (generation >= 0) return [];
  return [FieldErrors.invalid('metadata.generation', generation, 'must be greater than or equal to 0')];
}

function qualifiedErrors({ finalizers }: ObjectMeta, rules: ObjectMetaRules): readonly FieldError[] {
  return rules.qualifiedFinalizers ? validateQualifiedFinalizers(finalizers, rules.vocabulary) : [];
}

function versionErrors(metadata: ObjectMeta, stored: ObjectMeta): FieldError[] {
  const { resourceVersion = '', generation = 0 } = metadata;
  const errors: FieldError[] = [];
  if (resourceVersion === '') {
    errors.push(FieldErrors.invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  if (generation < (stored.generation ?? 0)) {
    errors.push(FieldErrors.invalid('metadata.generation', generation, 'must not be decremented'));
  }
  return errors;
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function immutableErrors(metadata: ObjectMeta, stored: ObjectMeta): FieldError[] {
  if (IMMUTABLE.every((key) => metadata[key] === stored[key])) return [];
  const texts = (['name', 'namespace', 'uid'] as const).flatMap((key) =>
    unchanged(key, metadata[key] ?? '', stored[key] ?? ''),
  );
  return [
    ...texts,
    ...unchanged(
      'creationTimestamp',
      timeOf(metadata.creationTimestamp),
      timeOf(stored.creationTimestamp),
      ZERO_TIME,
    ),
    ...unchanged('deletionTimestamp', timeOf(metadata.deletionTimestamp), timeOf(stored.deletionTimestamp)),
    ...unchanged(
      'deletionGracePeriodSeconds',
      metadata.deletionGracePeriodSeconds,
      stored.deletionGracePeriodSeconds,
    ),
  ];
}

type Comparable = string | number | undefined;

function unchanged(key: string, value: Comparable, stored: Comparable, absent?: PrintedValue): FieldError[] {
  if (value === stored) return [];
  const isTime = key.endsWith('Timestamp') && typeof value === 'string';
  const shown = isTime ? new PrintedValue(value) : (value ?? absent);
  return [FieldErrors.invalid(`metadata.${key}`, shown, 'field is immutable')];
}

const ZERO_TIME = new PrintedValue('0001-01-01 00:00:00 +0000 UTC');

/** Times are compared and printed as times; a string that is not a time stays as is. */
function timeOf(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return printedTime(parseTime(text));
  } catch {
    return text;
  }
}
