import type { StrictAddress, StrictPrefix } from '@ashlar/core';
import {
  type FunctionDeclaration,
  type Library,
  method,
  named,
  type OverloadCost,
  overload,
} from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { type CallCost, readsFirst, sizeOf, textCost } from '../cost/cost-model.ts';
import {
  addRanges,
  type CallEstimator,
  estimateReading,
  exactly,
  type SizedNode,
  scaleRange,
} from '../cost/estimate-model.ts';
import { CidrValue, cidrType, IpValue, ipType, parseIpAddress, parsePrefix } from '../values/network.ts';
import { EvaluationError, noSuchOverload, type Value } from '../values/values.ts';

const { bool, int, string } = types;

const reads = (times: number = 1): OverloadCost => ({
  cost: readsFirst(times),
  estimate: estimateReading(times),
});

/** An address is 4 or 16 bytes. */
const ADDRESS_SIZE = { min: 4n, max: 16n };

/** Cost of comparing bytes as far as the prefix, with a text read first where one is given. */
const containsCost =
  (isPrefix: boolean, isText: boolean): CallCost =>
  ([cidr, other], _, model) => {
    const size = sizeOf(cidr as Value);
    let cost = textCost(size + size, model);
    if (isPrefix) cost += textCost(size, model) + 1;
    return isText ? cost + textCost(sizeOf(other as Value), model) : cost;
  };

const estimateContains =
  (isPrefix: boolean, isText: boolean): CallEstimator =>
  (call) => {
    const { text } = call.model;
    const twice = scaleRange(addRanges(ADDRESS_SIZE, ADDRESS_SIZE), text);
    const masked = isPrefix ? addRanges(scaleRange(ADDRESS_SIZE, text), exactly(1)) : exactly(0);
    const parsed = isText ? scaleRange(call.sizeOf(call.arguments[0] as SizedNode), text) : exactly(0);
    return { cost: addRanges(twice, masked, parsed) };
  };

const containing = (isPrefix: boolean, isText: boolean): OverloadCost => ({
  cost: containsCost(isPrefix, isText),
  estimate: estimateContains(isPrefix, isText),
});

/** Error messages of an environment for texts that are not addresses or ranges. */
interface Wording {
  readonly prefixError: (text: string, reason: string) => string;
  /** Prefix of the reason why an IPv4 address in IPv6 form is rejected. */
  readonly mappedError: string;
  /** Whether such an address is rejected in its hexadecimal form too. */
  readonly refusesHexadecimal: boolean;
}

const CONVERSION = 'network address parse error during conversion from string: ';

/** Which error messages to use: those of the language's library, or those of servers. */
export type NetworkWording = 'plain' | 'server';

const wordings: Readonly<Record<NetworkWording, Wording>> = {
  plain: {
    prefixError: (text, reason) =>
      `CIDR ${JSON.stringify(text)} parse error during conversion from string: ${reason}`,
    mappedError: '',
    refusesHexadecimal: false,
  },
  server: {
    prefixError: (_, reason) => `${CONVERSION}${CONVERSION}${reason}`,
    mappedError: CONVERSION,
    refusesHexadecimal: true,
  },
};

const isRefused = (text: string, address: StrictAddress, wording: Wording): boolean =>
  address.mapped && (wording.refusesHexadecimal || text.includes('.'));

function addressOf(text: string, wording: Wording): StrictAddress | EvaluationError {
  const parsed = parseIpAddress(text);
  if (typeof parsed === 'string') {
    return new EvaluationError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ${parsed}`,
    );
  }
  if (parsed.zone !== '')
    return new EvaluationError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  if (isRefused(text, parsed, wording))
    return new EvaluationError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return parsed;
}

function prefixOf(text: string, wording: Wording): StrictPrefix | EvaluationError {
  const parsed = parsePrefix(text);
  if (typeof parsed === 'string') return new EvaluationError(wording.prefixError(text, parsed));
  if (isRefused(text, parsed.address, wording)) {
    return new EvaluationError(
      `${wording.mappedError}IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`,
    );
  }
  return parsed;
}

const property = (name: string, id: string, holds: (value: IpValue) => boolean): FunctionDeclaration =>
  named(name, method(id, [ipType], bool, holds));

/** IP addresses; `wording` selects error messages. */
export function ipLibrary(wording: NetworkWording = 'server'): Library {
  const words = wordings[wording];
  const ip = (text: string): Value => {
    const address = addressOf(text, words);
    return address instanceof EvaluationError ? address : new IpValue(address);
  };
  const isCanonical = (text: string): Value => {
    const value = ip(text);
    return value instanceof IpValue ? value.text === text : value;
  };
  const isIp = (text: string): Value => ip(text) instanceof IpValue;
  return {
    name: 'ip',
    types: [ipType],
    functions: [
      named('ip', overload('string_to_ip', [string], ipType, ip, reads())),
      named('isIP', overload('is_ip', [string], bool, isIp, reads())),
      named('ip.isCanonical', overload('ip_is_canonical', [string], bool, isCanonical, reads(2))),
      named(
        'family',
        method('ip_family', [ipType], int, ({ address }: IpValue) => (address.bytes.length === 4 ? 4 : 6)),
      ),
      property('isUnspecified', 'ip_is_unspecified', (value) => value.isUnspecified),
      property('isLoopback', 'ip_is_loopback', (value) => value.isLoopback),
      property('isLinkLocalMulticast', 'ip_is_link_local_multicast', (value) => value.isLinkLocalMulticast),
      property('isLinkLocalUnicast', 'ip_is_link_local_unicast', (value) => value.isLinkLocalUnicast),
      property('isGlobalUnicast', 'ip_is_global_unicast', (value) => value.isGlobalUnicast),
      named(
        'string',
        overload('ip_to_string', [ipType], string, (value: IpValue) => value.text),
      ),
    ],
  };
}

/** Address ranges; `wording` selects error messages. */
export function cidrLibrary(wording: NetworkWording = 'server'): Library {
  const words = wordings[wording];
  const cidr = (text: string): Value => {
    const prefix = prefixOf(text, words);
    return prefix instanceof EvaluationError ? prefix : new CidrValue(prefix);
  };
  // a text that is no address is told as one of a wrong type
  const containsIpText = (range: CidrValue, text: string): Value => {
    const address = addressOf(text, words);
    return address instanceof EvaluationError ? noSuchOverload() : range.contains(address);
  };
  const containsCidrText = (range: CidrValue, text: string): Value => {
    const other = cidr(text);
    return other instanceof CidrValue ? range.containsRange(other) : other;
  };
  return {
    name: 'cidr',
    types: [cidrType],
    functions: [
      named('cidr', overload('string_to_cidr', [string], cidrType, cidr, reads())),
      named(
        'isCIDR',
        overload(
          'is_cidr',
          [string],
          bool,
          (text: string) => !(cidr(text) instanceof EvaluationError),
          reads(),
        ),
      ),
      named(
        'containsIP',
        method('cidr_contains_ip_string', [cidrType, string], bool, containsIpText, containing(false, true)),
        method(
          'cidr_contains_ip_ip',
          [cidrType, ipType],
          bool,
          (range: CidrValue, other: IpValue) => range.contains(other.address),
          containing(false, false),
        ),
      ),
      named(
        'containsCIDR',
        method(
          'cidr_contains_cidr_string',
          [cidrType, string],
          bool,
          containsCidrText,
          containing(true, true),
        ),
        method(
          'cidr_contains_cidr',
          [cidrType, cidrType],
          bool,
          (range: CidrValue, other: CidrValue) => range.containsRange(other),
          containing(true, false),
        ),
      ),
      named(
        'ip',
        method('cidr_ip', [cidrType], ipType, (range: CidrValue) => new IpValue(range.prefix.address)),
      ),
      named(
        'masked',
        method('cidr_masked', [cidrType], cidrType, (range: CidrValue) => range.masked()),
      ),
      named(
        'isMask',
        method('cidr_is_mask', [cidrType], bool, (range: CidrValue) => range.equals(range.masked())),
      ),
      named(
        'prefixLength',
        method('cidr_prefix_length', [cidrType], int, (range: CidrValue) => range.prefix.bits),
      ),
      named(
        'string',
        overload('cidr_to_string', [cidrType], string, (range: CidrValue) => range.text),
      ),
    ],
  };
}
