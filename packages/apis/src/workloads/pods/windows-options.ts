import { dns1123SubdomainErrors, type FieldError, FieldErrors, piecesOf, utf8Length } from '@ashlar/core';
import { follows, invalidWhen, NO_ERRORS } from '../field-rules.ts';
import type { WindowsOptions } from './security-types.ts';

const LARGEST_CREDENTIALS_KIB = 64;

/** Errors of what containers on Windows run as. */
export function windowsOptionsErrors(
  options: WindowsOptions | undefined,
  path: string,
): readonly FieldError[] {
  if (!options) return NO_ERRORS;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  return [
    ...(gmsaCredentialSpecName === undefined
      ? NO_ERRORS
      : follows(`${path}.gmsaCredentialSpecName`, gmsaCredentialSpecName, dns1123SubdomainErrors)),
    ...(gmsaCredentialSpec === undefined
      ? NO_ERRORS
      : credentialErrors(gmsaCredentialSpec, `${path}.gmsaCredentialSpec`)),
    ...(runAsUserName === undefined
      ? NO_ERRORS
      : userWhys(runAsUserName).map((why) =>
          FieldErrors.invalid(`${path}.runAsUserName`, runAsUserName, `runAsUserName${why}`),
        )),
  ];
}

function credentialErrors(credentials: string, path: string): readonly FieldError[] {
  const isTooLarge = utf8Length(credentials) > LARGEST_CREDENTIALS_KIB * 1024;
  return [
    ...invalidWhen(credentials === '', path, credentials, 'gmsaCredentialSpec cannot be an empty string'),
    ...invalidWhen(
      isTooLarge,
      path,
      credentials,
      `gmsaCredentialSpec size must be under ${LARGEST_CREDENTIALS_KIB} KiB`,
    ),
  ];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what names may not contain
const CONTROL: RegExp = /[\u0000-\u001f\u007f]/;

/** What is wrong with the name of a user, which may have a domain before a backslash. */
function userWhys(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string'];
  if (CONTROL.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\', 3);
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [domain, user = ''] = parts.length === 1 ? [undefined, parts[0]] : parts;
  return [...(domain === undefined ? [] : domainWhys(domain)), ...nameWhys(user)];
}

const LONGEST_DOMAIN = 256;
const LONGEST_USER = 104;
const NET_BIOS: RegExp = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL: RegExp = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

function domainWhys(domain: string): readonly string[] {
  const isDomain = NET_BIOS.test(domain) || areLabels(domain);
  return [
    ...(utf8Length(domain) >= LONGEST_DOMAIN
      ? [`'s Domain length must be under ${LONGEST_DOMAIN} characters`]
      : []),
    ...(isDomain ? [] : ["'s Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function areLabels(domain: string): boolean {
  for (const label of piecesOf(domain, '.')) if (!DNS_LABEL.test(label)) return false;
  return true;
}

function nameWhys(user: string): readonly string[] {
  const long = `'s User length must not be longer than ${LONGEST_USER} characters`;
  const signs = `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`;
  return [
    ...(user === '' ? ["'s User cannot be empty"] : []),
    ...(utf8Length(user) > LONGEST_USER ? [long] : []),
    ...(/^[. ]+$/.test(user) ? ["'s User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user) ? [signs] : []),
  ];
}
