import { ACCESS } from './flag-groups.ts';
import { list, text } from './flag-kinds.ts';
import type { FlagTableOf } from './flags.ts';

/** The proxies whose headers name the user, and which headers these are. */
export interface RequestHeaderFlags {
  readonly 'requestheader-client-ca-file'?: string;
  readonly 'requestheader-allowed-names'?: readonly string[];
  readonly 'requestheader-username-headers'?: readonly string[];
  readonly 'requestheader-uid-headers'?: readonly string[];
  readonly 'requestheader-group-headers'?: readonly string[];
  readonly 'requestheader-extra-headers-prefix'?: readonly string[];
}

export const requestHeaderFlags: FlagTableOf<RequestHeaderFlags> = {
  'requestheader-client-ca-file': text(
    ACCESS,
    'FILE',
    'authorities of proxies whose headers name the user, PEM; for nothing else',
  ),
  'requestheader-allowed-names': list(
    ACCESS,
    'NAME,NAME',
    "common names that a proxy's certificate may have (default any)",
  ),
  'requestheader-username-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'where proxies name the user; the first with a value counts',
  ),
  'requestheader-uid-headers': list(
    ACCESS,
    'HEADER,HEADER',
    'where they tell his uid; needs the gate RemoteRequestHeaderUID',
  ),
  'requestheader-group-headers': list(ACCESS, 'HEADER,HEADER', 'where they name his groups'),
  'requestheader-extra-headers-prefix': list(
    ACCESS,
    'PREFIX,PREFIX',
    'how the headers begin that give further fields',
  ),
};
