import { dns1035LabelErrors, dns1123SubdomainErrors, type FieldError, FieldErrors } from '@ashlar/core';
import { readCertificates } from '../conversion/ca-bundle.ts';
import type {
  DefinitionConversion,
  ServiceReference,
  WebhookClientConfig,
} from '../definitions/custom-resource-definition.ts';

/** Errors that an update need not fix. */
export interface ConversionTolerance {
  /** The stored definition has no supported version of the review. */
  readonly unknownReviewVersions: boolean;
  /** Certificates may be invalid: the definition is not established, or stored ones are invalid too. */
  readonly brokenCertificates: boolean;
}

const STRATEGIES = ['None', 'Webhook'];

/** Supported versions of the review. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/** Validates the conversion of a definition. */
export function conversionErrors(
  { strategy, webhook }: DefinitionConversion,
  path: string,
  tolerance: ConversionTolerance,
): readonly FieldError[] {
  const errors = [...strategyErrors(strategy, `${path}.strategy`)];
  const versions = webhook?.conversionReviewVersions ?? [];
  const client = webhook?.clientConfig;
  const clientPath = `${path}.webhookClientConfig`;
  const versionsPath = `${path}.conversionReviewVersions`;
  if (strategy === 'Webhook')
    return [
      ...errors,
      ...(client
        ? clientErrors(client, clientPath, tolerance)
        : [FieldErrors.required(clientPath, 'required when strategy is set to Webhook')]),
      ...reviewVersionErrors(versions, versionsPath, tolerance),
    ];
  const unwanted = 'should not be set when strategy is not set to Webhook';
  if (client) errors.push(FieldErrors.forbidden(clientPath, unwanted));
  if (versions.length > 0) errors.push(FieldErrors.forbidden(versionsPath, unwanted));
  return errors;
}

function strategyErrors(strategy: string, path: string): readonly FieldError[] {
  if (strategy === '') return [FieldErrors.required(path)];
  return STRATEGIES.includes(strategy) ? [] : [FieldErrors.notSupported(path, strategy, STRATEGIES)];
}

function clientErrors(
  { url, service, caBundle }: WebhookClientConfig,
  path: string,
  { brokenCertificates }: ConversionTolerance,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined))
    errors.push(FieldErrors.required(path, 'exactly one of url or service is required'));
  else if (url !== undefined) errors.push(...urlErrors(url, `${path}.url`));
  else if (service) errors.push(...serviceErrors(service, `${path}.service`));
  if (caBundle && !brokenCertificates && readCertificates(caBundle) === undefined) {
    const text = 'unable to load root certificates: unable to parse bytes as PEM block';
    errors.push(FieldErrors.invalid(`${path}.caBundle`, caBundle, text));
  }
  return errors;
}

const FORM = '; desired format: https://host[/path]';

function urlErrors(text: string, path: string): readonly FieldError[] {
  const found = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
    text,
  );
  const [, scheme = '', authority = '', , query = '', fragment = ''] = found ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  const wrong = (value: string, why: string): void => void errors.push(FieldErrors.invalid(path, value, why));
  if (scheme.toLowerCase() !== 'https')
    wrong(scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  if (host === '') wrong(host, `host must be specified${FORM}`);
  if (at >= 0) wrong(authority.slice(0, at), 'user information is not permitted in the URL');
  if (fragment !== '') wrong(fragment, 'fragments are not permitted in the URL');
  if (query !== '') wrong(query, 'query parameters are not permitted in the URL');
  return errors;
}

/** A missing name is reported for the namespace and vice versa, as in the recorded answers. */
function serviceErrors(
  { name, namespace, path: requestPath, port = 443 }: ServiceReference,
  path: string,
): readonly FieldError[] {
  return [
    ...(namespace === '' ? [FieldErrors.required(`${path}.name`, 'service name is required')] : []),
    ...(name === '' ? [FieldErrors.required(`${path}.namespace`, 'service namespace is required')] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [
          FieldErrors.invalid(
            `${path}.port`,
            port,
            'port is not valid: must be between 1 and 65535, inclusive',
          ),
        ]),
    ...requestPathErrors(requestPath ?? '', `${path}.path`),
  ];
}

function requestPathErrors(text: string, path: string): readonly FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [FieldErrors.invalid(path, text, 'segment[0] may not be empty')];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(text.startsWith('/') ? [] : [FieldErrors.invalid(path, text, "must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      (segment === ''
        ? [`segment[${index}] may not be empty`]
        : dns1123SubdomainErrors(segment).map((why) => `segment[${index}]: ${why}`)
      ).map((why) => FieldErrors.invalid(path, text, why)),
    ),
  ];
}

function reviewVersionErrors(
  versions: readonly string[],
  path: string,
  { unknownReviewVersions }: ConversionTolerance,
): readonly FieldError[] {
  if (versions.length === 0) return [FieldErrors.required(path)];
  const errors = versions.flatMap((version, index) => {
    const field = `${path}[${index}]`;
    if (versions.indexOf(version) < index) return [FieldErrors.invalid(field, version, 'duplicate version')];
    return dns1035LabelErrors(version).map((why) => FieldErrors.invalid(field, version, why));
  });
  if (unknownReviewVersions || versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  const text = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
  return [...errors, FieldErrors.invalid(path, versions, text)];
}
