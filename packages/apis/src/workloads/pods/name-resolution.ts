import {
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  utf8Length,
  validateIpAddress,
} from '@ashlar/core';
import type { DnsConfig, HostAlias } from '../core/pod-types.ts';
import { each, follows, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { ListRule } from '../list-rule.ts';

// How the containers of a pod find hosts by their names.

const MOST_SERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES_BYTES = 2048;

/** Errors of the configuration of DNS. */
export function dnsConfigErrors(
  config: DnsConfig | undefined,
  policy: string | undefined,
  path: string,
): readonly FieldError[] {
  const isAlone = policy === 'None';
  if (!config) return requiredWhen(isAlone, path, 'must provide `dnsConfig` when `dnsPolicy` is None');
  const { nameservers = [], searches = [], options } = config;
  const servers = `${path}.nameservers`;
  if (isAlone && nameservers.length === 0)
    return requiredWhen(true, servers, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
  return [
    ...invalidWhen(
      nameservers.length > MOST_SERVERS,
      servers,
      nameservers,
      `must not have more than ${MOST_SERVERS} nameservers`,
    ),
    ...each(servers, nameservers, (address, at) => validateIpAddress(at, address)),
    ...searchesErrors(searches, `${path}.searches`),
    ...each(`${path}.options`, options, ({ name }, at) =>
      name ? NO_ERRORS : [FieldErrors.required(at, 'must not be empty')],
    ),
  ];
}

/** The domains in which names are looked for; dots at their ends change nothing. */
export const searchDomains: ListRule<string> = new ListRule((search, path) =>
  follows(path, search.replace(/\.$/, ''), dns1123SubdomainErrors),
);

/** The names of one address. */
export const aliasNames: ListRule<string> = new ListRule((name, path) =>
  follows(path, name, dns1123SubdomainErrors),
);

function searchesErrors(searches: readonly string[], path: string): readonly FieldError[] {
  return [
    ...invalidWhen(
      searches.length > MOST_SEARCHES,
      path,
      searches,
      `must not have more than ${MOST_SEARCHES} search paths`,
    ),
    ...invalidWhen(
      utf8Length(searches.join(' ')) > LONGEST_SEARCHES_BYTES,
      path,
      searches,
      `must not have more than ${LONGEST_SEARCHES_BYTES} characters (including spaces) in the search list`,
    ),
    ...searchDomains.errors(path, searches),
  ];
}

/** Errors of names that stand for an address. */
export function hostAliasesErrors(
  aliases: readonly HostAlias[] | undefined,
  path: string,
): readonly FieldError[] {
  return each(path, aliases, ({ ip = '', hostnames }, at) => [
    ...validateIpAddress(`${at}.ip`, ip),
    ...aliasNames.errors(`${at}.hostnames`, hostnames),
  ]);
}
