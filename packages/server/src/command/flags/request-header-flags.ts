import { ACCESS } from './flag-groups.ts';
import { list, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of an authenticating proxy, which names the user in request headers. */
export interface RequestHeaderFlags {
  readonly 'requestheader-client-ca-file'?: string;
  readonly 'requestheader-allowed-names'?: readonly string[];
  readonly 'requestheader-username-headers'?: readonly string[];
  readonly 'requestheader-uid-headers'?: readonly string[];
  readonly 'requestheader-group-headers'?: readonly string[];
  readonly 'requestheader-extra-headers-prefix'?: readonly string[];
}

const names = list(
  ACCESS,
  'NAME,NAME',
  "common names that a proxy's certificate may have; empty for any (default any)",
);

const allowedNames: Flag<readonly string[]> = {
  ...names,
  parse: (argument) => (argument === '' ? [] : names.parse(argument)),
};

export const requestHeaderFlags: FlagTableOf<RequestHeaderFlags> = {
  'requestheader-client-ca-file': text(
    ACCESS,
    'FILE',
    'CAs of client certificates of authenticating proxies, PEM; reloaded when it changes',
  ),
  'requestheader-allowed-names': allowedNames,
  'requestheader-username-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'headers with the user name; the first with a value counts',
  ),
  'requestheader-uid-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'headers with the user id; needs the feature gate RemoteRequestHeaderUID',
  ),
  'requestheader-group-headers': list(ACCESS, 'HEADER,HEADER', 'headers with the groups of the user'),
  'requestheader-extra-headers-prefix': list(
    ACCESS,
    'PREFIX,PREFIX',
    'prefixes of headers with extra fields of the user',
  ),
};
