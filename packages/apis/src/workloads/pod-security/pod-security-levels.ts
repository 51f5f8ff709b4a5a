import { type FieldError, FieldErrors, type Vocabulary } from '@ashlar/core';

/** The levels of pod security, the least strict first. */
const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof LEVELS)[number];

/** The rules of a level, as of a release. */
export interface SecurityStandard {
  readonly level: SecurityLevel;
  /** The minor version of 1.x; undefined for the latest. */
  readonly minor: number | undefined;
}

export const MODES = ['enforce', 'audit', 'warn'] as const;
type Mode = (typeof MODES)[number];

/** Which standard pods of a namespace are refused by, noted in the audit log by, and warned of. */
export type SecurityPolicy = Readonly<Record<Mode, SecurityStandard>>;

/** As text: `baseline:v1.20`. */
export const standardText = ({ level, minor }: SecurityStandard): string =>
  `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`;

export const isSameStandard = (a: SecurityStandard, b: SecurityStandard): boolean =>
  a.level === b.level && a.minor === b.minor;

/** Whether a level is stricter than another. */
export const isStricter = (a: SecurityLevel, b: SecurityLevel): boolean =>
  LEVELS.indexOf(a) > LEVELS.indexOf(b);

/** The prefix of the labels and audit annotations of pod security. */
export const securityPrefix = ({ labelDomain }: Vocabulary): string => `pod-security.${labelDomain}/`;

/** Reads a level. */
export const parseLevel = (text: string): SecurityLevel | undefined => LEVELS.find((level) => level === text);

/** Reads a version: `latest`, `v1.20`; undefined if it is none. */
export function parseVersion(text: string): Pick<SecurityStandard, 'minor'> | undefined {
  if (text === 'latest') return { minor: undefined };
  const digits = /^v1\.(0|[1-9][0-9]{0,8})$/.exec(text)?.[1];
  return digits === undefined ? undefined : { minor: Number(digits) };
}

/** What is wrong with a level. */
export const LEVEL_RULE: string = `must be one of ${LEVELS.join(', ')}`;
/** What is wrong with a version. */
export const VERSION_RULE: string = 'must be "latest" or "v1.x"';

/**
 * The policy of a namespace by its labels, and what is wrong with them. An unknown level enforces the strictest and notes and warns of
 * nothing. A stricter level to enforce is also that of warnings, unless a label names one.
 */
export function policyOfLabels(
  labels: Readonly<Record<string, string>> | undefined,
  defaults: SecurityPolicy,
  vocabulary: Vocabulary,
): { readonly policy: SecurityPolicy; readonly errors: readonly FieldError[] } {
  if (!labels) return { policy: defaults, errors: [] };
  const read = new LabelReader(labels, securityPrefix(vocabulary));
  const enforce = read.standard('enforce', defaults.enforce, 'restricted');
  const audit = read.standard('audit', defaults.audit, 'privileged');
  const warn = read.standard('warn', defaults.warn, 'privileged');
  const isRaised = !read.has('warn') && read.hasLevel('enforce') && isStricter(enforce.level, warn.level);
  const raised = { level: enforce.level, minor: read.has('warn-version') ? warn.minor : enforce.minor };
  return { policy: { enforce, audit, warn: isRaised ? raised : warn }, errors: read.errors };
}

class LabelReader {
  readonly errors: FieldError[] = [];
  readonly #labels: Readonly<Record<string, string>>;
  readonly #prefix: string;

  constructor(labels: Readonly<Record<string, string>>, prefix: string) {
    this.#labels = labels;
    this.#prefix = prefix;
  }

  has(name: string): boolean {
    return this.#labels[this.#prefix + name] !== undefined;
  }

  hasLevel(mode: Mode): boolean {
    return parseLevel(this.#labels[this.#prefix + mode] ?? '') !== undefined;
  }

  standard(mode: Mode, fallback: SecurityStandard, ifUnknown: SecurityLevel): SecurityStandard {
    const level = this.#read(mode, parseLevel, LEVEL_RULE, fallback.level, ifUnknown);
    const version = this.#read(`${mode}-version`, parseVersion, VERSION_RULE, fallback, { minor: undefined });
    return { level, minor: version.minor };
  }

  #read<T>(name: string, parse: (text: string) => T | undefined, rule: string, absent: T, unknown: T): T {
    const text = this.#labels[this.#prefix + name];
    if (text === undefined) return absent;
    const value = parse(text);
    if (value !== undefined) return value;
    this.errors.push(FieldErrors.invalid(`metadata.labels[${this.#prefix}${name}]`, text, rule));
    return unknown;
  }
}

/** The modes that labels of a namespace say, as text: `enforce=baseline:latest, warn=restricted:v1.20`. */
export function labelledPolicyText(
  labels: Readonly<Record<string, string>> | undefined,
  policy: SecurityPolicy,
  vocabulary: Vocabulary,
): string {
  const prefix = securityPrefix(vocabulary);
  const isDeclared = (mode: Mode): boolean =>
    labels?.[prefix + mode] !== undefined || labels?.[`${prefix}${mode}-version`] !== undefined;
  return MODES.filter((mode) => policy[mode].level !== 'privileged' && isDeclared(mode))
    .map((mode) => `${mode}=${standardText(policy[mode])}`)
    .join(', ');
}

/** Whether pods may do anything. */
export const isFullyPrivileged = (policy: SecurityPolicy): boolean =>
  MODES.every((mode) => policy[mode].level === 'privileged');

/** Whether two policies have the same effect: the version of a level that allows everything does not matter. */
export const isSamePolicy = (a: SecurityPolicy, b: SecurityPolicy): boolean =>
  MODES.every((mode) => {
    const isFree = a[mode].level === 'privileged' && b[mode].level === 'privileged';
    return isFree || isSameStandard(a[mode], b[mode]);
  });
