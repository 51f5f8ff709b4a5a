import {
  clientConfigErrorsSteps,
  readCertificates,
  reviewVersionErrorsSteps as versionErrorsSteps,
  WEBHOOK_REVIEW_VERSIONS,
  type WebhookClientConfig,
} from '@ashlar/admission';
import { type FieldError, FieldErrors, requiredChoiceErrors, type Steps } from '@ashlar/core';
import { isTrue } from '../definitions/conditions.ts';
import type {
  CustomResourceDefinition,
  DefinitionConversion,
  DefinitionSpec,
} from '../definitions/custom-resource-definition.ts';

/** Errors that an update need not fix. */
interface ConversionTolerance {
  /** The stored definition has no supported version of the review. */
  readonly unknownReviewVersions: boolean;
  /** Certificates may be invalid: the definition is not established, or stored ones are invalid too. */
  readonly brokenCertificates: boolean;
}

const STRATEGIES = ['None', 'Webhook'];

/** Validates the conversion of a definition, if it has one. */
export function* conversionSpecErrorsSteps(
  { conversion, preserveUnknownFields }: DefinitionSpec,
  stored: CustomResourceDefinition | undefined,
): Steps<readonly FieldError[]> {
  if (!conversion) return [];
  const path = 'spec.conversion';
  const text = 'must be None if spec.preserveUnknownFields is true';
  return [
    ...(conversion.strategy !== 'None' && preserveUnknownFields
      ? [FieldErrors.invalid(`${path}.strategy`, conversion.strategy, text)]
      : []),
    ...(yield* conversionErrorsSteps(conversion, path, toleranceOf(stored))),
  ];
}

function toleranceOf(stored: CustomResourceDefinition | undefined): ConversionTolerance {
  if (!stored) return { unknownReviewVersions: false, brokenCertificates: true };
  const { conversionReviewVersions, clientConfig } = stored.spec.conversion?.webhook ?? {};
  const versions = conversionReviewVersions ?? [];
  const bundle = clientConfig?.caBundle ?? '';
  return {
    unknownReviewVersions:
      versions.length > 0 && !versions.some((version) => WEBHOOK_REVIEW_VERSIONS.includes(version)),
    brokenCertificates:
      !isTrue(stored, 'Established') || (bundle !== '' && readCertificates(bundle) === undefined),
  };
}

function* conversionErrorsSteps(
  { strategy, webhook }: DefinitionConversion,
  path: string,
  tolerance: ConversionTolerance,
): Steps<readonly FieldError[]> {
  const errors = [...strategyErrors(strategy, `${path}.strategy`)];
  const versions = webhook?.conversionReviewVersions ?? [];
  const client = webhook?.clientConfig;
  const clientPath = `${path}.webhookClientConfig`;
  const versionsPath = `${path}.conversionReviewVersions`;
  if (strategy === 'Webhook')
    return [
      ...errors,
      ...(client
        ? yield* clientErrorsSteps(client, clientPath, tolerance)
        : [FieldErrors.required(clientPath, 'required when strategy is set to Webhook')]),
      ...(yield* reviewVersionErrorsSteps(versions, versionsPath, tolerance)),
    ];
  const unwanted = 'should not be set when strategy is not set to Webhook';
  if (client) errors.push(FieldErrors.forbidden(clientPath, unwanted));
  if (versions.length > 0) errors.push(FieldErrors.forbidden(versionsPath, unwanted));
  return errors;
}

function strategyErrors(strategy: string, path: string): readonly FieldError[] {
  return requiredChoiceErrors(path, strategy, STRATEGIES);
}

function* clientErrorsSteps(
  config: WebhookClientConfig,
  path: string,
  { brokenCertificates }: ConversionTolerance,
): Steps<readonly FieldError[]> {
  const errors = yield* clientConfigErrorsSteps(config, path);
  const { caBundle } = config;
  if (!caBundle || brokenCertificates || readCertificates(caBundle) !== undefined) return errors;
  const text = 'unable to load root certificates: unable to parse bytes as PEM block';
  return [...errors, FieldErrors.invalid(`${path}.caBundle`, caBundle, text)];
}

function* reviewVersionErrorsSteps(
  versions: readonly string[],
  path: string,
  { unknownReviewVersions }: ConversionTolerance,
): Steps<readonly FieldError[]> {
  if (versions.length === 0) return [FieldErrors.required(path)];
  const errors = yield* versionErrorsSteps(versions, path);
  if (unknownReviewVersions || versions.some((version) => WEBHOOK_REVIEW_VERSIONS.includes(version)))
    return errors;
  const text = `must include at least one of ${WEBHOOK_REVIEW_VERSIONS.join(', ')}`;
  return [...errors, FieldErrors.invalid(path, versions, text)];
}
