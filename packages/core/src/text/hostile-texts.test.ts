import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { StatusError } from '../errors/status-error.ts';
import { compareApiVersions } from '../objects/version-priority.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { parseDuration } from '../values/duration.ts';
import { parseCidr, parseIpAddress } from '../values/ip-address.ts';
import { parseQuantity } from '../values/quantity.ts';
import { parseMicroTime, parseTime } from '../values/time.ts';
import { canonicalBase64, decodeBase64 } from './base64.ts';
import { fromBase64Url } from './base64url.ts';
import { readPem } from './pem.ts';

const SIZE = 2_000_000;

/**
 * A text that grows in the middle: reading it again from each position would take hours, and the test would
 * time out.
 */
const long = (start: string, middle: string, end: string): string =>
  start + middle.repeat(SIZE / middle.length) + end;

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['quantity', parseQuantity],
  ['duration', parseDuration],
  ['time', parseTime],
  ['time with microseconds', parseMicroTime],
  ['label selector', parseLabelSelector],
  ['field selector', parseFieldSelector],
  ['base64', decodeBase64],
  ['canonical base64', canonicalBase64],
  ['base64url', fromBase64Url],
  ['PEM', readPem],
  ['address', parseIpAddress],
  ['network', parseCidr],
  ['name', dns1123SubdomainErrors],
  ['qualified name', qualifiedNameErrors],
  ['label value', labelValueErrors],
  ['version', (text) => compareApiVersions(text, `${text}1`)],
];

const TEXTS: readonly string[] = [
  long('', '0', '!'),
  long('', '0', ''),
  long('1', '0', '1'),
  long('.', '0', '1'),
  long('1.', '9', 'e1'),
  long('-', '1', 'x'),
  long('', '000s', '!'),
  long('', '1ns', ''),
  long('1', 'ü', ''),
  long('2024-01-02T03:04:05.', '0', ''),
  long('2024-01-02T03:04:05.', '0', 'x'),
  long('2024-01-02T03:04:05', '\x01', ''),
  long('', ' ', 'x'),
  long('', '\n', 'x'),
  long('', 'a=b,', ''),
  long('', 'a,', ''),
  long('a in (', 'b,', 'c)'),
  long('', '\\', ''),
  long('', 'a.', '-'),
  long('', 'a-', ''),
  long('', '-', 'a'),
  long('', '1.1.', ''),
  long('', ':', '1'),
  long('v', '1', 'beta1'),
  long('', 'A', '='),
  long('', 'A=', ''),
  long('', '-----BEGIN X-----\n', ''),
  long('', '-----BEGIN X-----', ''),
  long('-----BEGIN X-----\n', 'a:b\n', ''),
  long('-----BEGIN X-----\n', '\n', '-----END X-----'),
  long('', '-----BEGIN X-----\nAAAA\n', '-----END Y-----\n'),
];

describe.each(READERS)('parsing a %s', (_name, read) => {
  it('takes time in proportion to the text, and throws messages of bounded length', () => {
    for (const text of TEXTS) {
      try {
        read(text);
      } catch (error) {
        expect(error instanceof ParseError || error instanceof StatusError).toBe(true);
        expect((error as Error).message.length).toBeLessThan(SIZE / 8);
      }
    }
  }, 20_000);
});
