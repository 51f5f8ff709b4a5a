import { type FieldError, FieldErrors } from '../errors/field-error.ts';
import { parseCidr, parseIpAddress } from '../values/ip-address.ts';
import { dns1123LabelErrors, dns1123SubdomainErrors } from './names.ts';

/** Checks the text of a field; the errors name the field. */
export type FieldRule = (field: string, text: string) => readonly FieldError[];

const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const WHOLE_PATH = new RegExp(`^${PATH}$`);

/** An IPv4 or IPv6 address. */
export const validateIpAddress: FieldRule = (field, text) =>
  parseIpAddress(text)
    ? []
    : [FieldErrors.invalid(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];

/** An address with a prefix length. */
export const validateCidr: FieldRule = (field, text) =>
  parseCidr(text)
    ? []
    : [FieldErrors.invalid(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];

/** A subdomain of at least three labels: names of webhooks. */
export const validateFullyQualifiedName: FieldRule = (field, text) => {
  if (text === '') return [FieldErrors.required(field)];
  const errors = dns1123SubdomainErrors(text);
  if (errors.length > 0) return [FieldErrors.invalid(field, text, errors.join(','))];
  if (text.split('.').length >= 3) return [];
  return [
    FieldErrors.invalid(field, text, 'should be a domain with at least three segments separated by dots'),
  ];
};

/** A domain of at least two labels; a trailing dot is accepted. */
export const validateFullyQualifiedDomainName: FieldRule = (field, text) => {
  if (text === '') return [FieldErrors.required(field)];
  const domain = text.endsWith('.') ? text.slice(0, -1) : text;
  const errors = dns1123SubdomainErrors(domain);
  if (errors.length > 0) return [FieldErrors.invalid(field, domain, errors.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2) {
    return [
      FieldErrors.invalid(field, domain, 'should be a domain with at least two segments separated by dots'),
    ];
  }
  const bad = labels.find((label) => dns1123LabelErrors(label).length > 0);
  return bad === undefined ? [] : [FieldErrors.invalid(field, bad, dns1123LabelErrors(bad).join(','))];
};

/** A subdomain, a slash and a path: names of signers. */
export const validateDomainPrefixedPath: FieldRule = (field, text) => {
  if (text === '') return [FieldErrors.required(field)];
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    return [FieldErrors.invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const host = text.slice(0, slash);
  const path = text.slice(slash + 1);
  const errors = dns1123SubdomainErrors(host).map((error) => FieldErrors.invalid(field, host, error));
  if (WHOLE_PATH.test(path)) return errors;
  return [
    ...errors,
    FieldErrors.invalid(field, path, `Invalid path (regex used for validation is '${PATH}')`),
  ];
};
