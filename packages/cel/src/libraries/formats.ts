import {
  labelValueErrors,
  type NameRule,
  qualifiedNameErrors,
  type Vocabulary,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
} from '@ashlar/core';
import { type Library, method, overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { type CallCost, fixedCost, patternCost, sizeOf } from '../cost/cost-model.ts';
import { type CallEstimator, type SizedNode, scaleRange } from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';
import { parseDate, parseStrictTimestamp } from '../values/time.ts';
import { requestUrlError } from '../values/url.ts';
import { NONE, Opaque, Optional, type Value } from '../values/values.ts';
import { isBase64 } from './encoders.ts';

const { string } = types;

/** A named rule for texts. */
interface Format {
  readonly rule: NameRule;
  /** Length of an equivalent pattern, which determines costs. */
  readonly patternSize: number;
}

/** The longest pattern that estimates assume. */
const MAXIMUM_PATTERN_LENGTH = 128;

const fails =
  (reason: string, holds: (text: string) => boolean): NameRule =>
  (text) =>
    holds(text) ? [] : [reason];
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const uriErrors: NameRule = (text) => {
  const error = requestUrlError(text);
  return error === undefined ? [] : [error];
};

const FORMATS: Readonly<Record<string, Format>> = {
  dns1123Label: { rule: (text) => validateDnsLabel(text, false), patternSize: 30 },
  dns1123Subdomain: { rule: (text) => validateDnsSubdomain(text, false), patternSize: 60 },
  dns1035Label: { rule: (text) => validateDns1035Label(text, false), patternSize: 30 },
  qualifiedName: { rule: qualifiedNameErrors, patternSize: 60 },
  dns1123LabelPrefix: { rule: (text) => validateDnsLabel(text, true), patternSize: 30 },
  dns1123SubdomainPrefix: { rule: (text) => validateDnsSubdomain(text, true), patternSize: 60 },
  dns1035LabelPrefix: { rule: (text) => validateDns1035Label(text, true), patternSize: 30 },
  labelValue: { rule: labelValueErrors, patternSize: 40 },
  uri: { rule: uriErrors, patternSize: 1103 },
  uuid: { rule: fails('does not match the UUID format', (text) => UUID.test(text)), patternSize: 70 },
  byte: { rule: fails('invalid base64', (text) => text !== '' && isBase64(text, true)), patternSize: 84 },
  date: { rule: fails('invalid date', (text) => parseDate(text) !== undefined), patternSize: 71 },
  datetime: {
    rule: fails('invalid datetime', (text) => parseStrictTimestamp(text.toUpperCase()) !== undefined),
    patternSize: 71,
  },
};

const FORMAT_NAMES: ReadonlySet<string> = new Set(Object.keys(FORMATS));

/** A named format. */
class FormatValue extends Opaque {
  readonly type: CelType;
  readonly name: string;
  constructor(type: CelType, name: string) {
    super();
    this.type = type;
    this.name = name;
  }
  get format(): Format {
    return FORMATS[this.name] as Format;
  }
  equals(other: Opaque): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

const STEPS_PER_CHARACTER = 10;

function validate({ format }: FormatValue, text: string): Value {
  work(text.length * STEPS_PER_CHARACTER);
  const errors = format.rule(text);
  return errors.length === 0 ? NONE : new Optional(errors);
}

const validateCost: CallCost = ([value, text], _, model) =>
  value instanceof FormatValue ? patternCost(sizeOf(text as Value), value.format.patternSize, model) : 1;

const estimateValidate: CallEstimator = (call) => {
  const text = call.sizeOf(call.arguments[0] as SizedNode);
  return { cost: scaleRange(scaleRange(text, call.model.text), MAXIMUM_PATTERN_LENGTH * call.model.pattern) };
};

/** Named formats: `format.dns1123Label().validate(text)` returns none or a list of errors. */
export function formatsLibrary(vocabulary: Vocabulary): Library {
  // Names of formats have up to 64 characters.
  const type: CelType = {
    ...types.object(`${vocabulary.name}.NamedFormat`),
    comparison: { min: 1n, max: 7n },
  };
  const constants = Object.keys(FORMATS).map((name) => {
    const value = new FormatValue(type, name);
    return { name: `format.${name}`, overloads: [overload(`format.${name}`, [], type, () => value)] };
  });
  const named = (name: string): Value =>
    FORMAT_NAMES.has(name) ? new Optional(new FormatValue(type, name)) : NONE;
  return {
    name: 'formats',
    types: [type],
    functions: [
      ...constants,
      {
        name: 'format.named',
        overloads: [overload('format-named', [string], types.optional(type), named, { cost: fixedCost(1) })],
      },
      {
        name: 'validate',
        overloads: [
          method('format-validate', [type, string], types.optional(types.list(string)), validate, {
            cost: validateCost,
            estimate: estimateValidate,
          }),
        ],
      },
    ],
  };
}
