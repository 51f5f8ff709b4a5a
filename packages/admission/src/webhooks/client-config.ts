import { urlReferenceError } from '@ashlar/cel';
import {
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  piecesOf,
  type Steps,
} from '@ashlar/core';

/** A service of the cluster that serves a webhook. */
export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  /** Default 443. */
  readonly port?: number;
  readonly path?: string;
}

/** How a webhook is called: by URL or by service. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** PEM certificates in base64; by default those that the system trusts. */
  readonly caBundle?: string;
}

const FORM = '; desired format: https://host[/path]';

/**
 * Returns the errors of the address of a webhook, without those of its certificates (semantics/admission#webhook-configuration). It pauses:
 * a path may have a million segments.
 */
export function* clientConfigErrorsSteps(
  { url, service }: WebhookClientConfig,
  path: string,
): Steps<readonly FieldError[]> {
  if ((url === undefined) === (service === undefined))
    return [FieldErrors.required(path, 'exactly one of url or service is required')];
  if (url !== undefined) return urlErrors(url, `${path}.url`);
  return service ? yield* serviceErrorsSteps(service, `${path}.service`) : [];
}

function urlErrors(text: string, path: string): readonly FieldError[] {
  const refused = urlReferenceError(text);
  if (refused !== undefined)
    return [FieldErrors.required(path, `url must be a valid URL: ${refused}${FORM}`)];
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

/** A missing name is reported for the namespace and vice versa, as in the recorded responses. */
function* serviceErrorsSteps(
  { name, namespace, path: requestPath, port = 443 }: ServiceReference,
  path: string,
): Steps<readonly FieldError[]> {
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
    ...(yield* requestPathErrorsSteps(requestPath ?? '', `${path}.path`)),
  ];
}

/** Segments between two pauses. */
const STRIDE = 1024;

function* requestPathErrorsSteps(text: string, path: string): Steps<readonly FieldError[]> {
  if (text === '' || text === '/') return [];
  if (text === '//') return [FieldErrors.invalid(path, text, 'segment[0] may not be empty')];
  const end = text.endsWith('/') && text.length > 1 ? -1 : undefined;
  // the first byte is not looked at: of a longer character others are left
  const start = text.charCodeAt(0) < 0x80 ? 1 : 0;
  const segments = piecesOf(text.slice(start, end), '/');
  return [
    ...(text.startsWith('/') ? [] : [FieldErrors.invalid(path, text, "must start with a '/'")]),
    ...(yield* fieldErrorsOfSteps(
      segments,
      (segment, index) => segmentWhys(segment, index).map((why) => FieldErrors.invalid(path, text, why)),
      STRIDE,
    )),
  ];
}

function segmentWhys(segment: string, index: number): readonly string[] {
  return segment === ''
    ? [`segment[${index}] may not be empty`]
    : dns1123SubdomainErrors(segment).map((why) => `segment[${index}]: ${why}`);
}
