import { type FieldError, type JsonObject, validateAnnotations, validateLabels } from '@ashlar/core';
import { type ClaimSpec, claimSpecErrors } from '../../core/claim-validation.ts';
import { forbiddenWhen, required } from '../../field-rules.ts';

/** What metadata of a template may say. */
const OF_TEMPLATES: readonly string[] = ['annotations', 'labels'];

/** Errors of a volume that lives as long as its pod, made of a template of a claim. */
export function ephemeralErrors(source: JsonObject, path: string): readonly FieldError[] {
  const at = `${path}.volumeClaimTemplate`;
  const template = source.volumeClaimTemplate as { metadata?: JsonObject; spec?: ClaimSpec } | undefined;
  if (!template) return required(at, template);
  const { metadata = {}, spec = {} } = template;
  const { annotations, labels } = metadata as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return [
    ...validateAnnotations(annotations, `${at}.metadata.annotations`),
    ...validateLabels(labels, `${at}.metadata.labels`),
    ...Object.entries(metadata).flatMap(([field, value]) =>
      forbiddenWhen(
        !OF_TEMPLATES.includes(field) && value !== null,
        // release 1.32 makes this name of that of its Go field
        `${at}.metadata.${field === 'uid' ? 'uID' : field}`,
        'cannot be set',
      ),
    ),
    ...claimSpecErrors(spec, `${at}.spec`),
  ];
}
