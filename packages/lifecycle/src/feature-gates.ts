import { goQuote, joinedTexts } from '@ashlar/core';
import { type FeatureGate, type FeatureGateName, knownFeatureGates } from './known-feature-gates.ts';

/** Which features are enabled: immutable once a server has started. */
export interface FeatureGates {
  /** @throws TypeError for an undefined gate: a bug of the program */
  isEnabled(gate: FeatureGateName): boolean;
  /** For the log: sentences about each set gate that will be removed, and whether it still has an effect. */
  readonly warnings: readonly string[];
}

/** The gates that enable or disable all others of a stage. */
const GATES_OF_STAGES: ReadonlyMap<string, FeatureGate['stage']> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/**
 * Parses `--feature-gates`: comma-separated `name=bool` pairs, blanks around names and values allowed; the
 * last of repeated names counts (semantics/lifecycle#runtime-configuration-and-gates). `AllAlpha` and
 * `AllBeta` set the gates of a stage that are not named themselves.
 *
 * @param gates the defined gates: those of another release are returned by `featureGatesOf`
 * @param release the release of these gates, for messages
 * @throws Error with the text of the reference: a pair without a value, a value that is not a boolean, an
 * unknown gate, a locked one
 * @example
 * parseFeatureGates('CBORServingAndStorage=true').isEnabled('CBORServingAndStorage'); // true
 */
export function parseFeatureGates(
  text: string,
  gates: Readonly<Record<string, FeatureGate>> = knownFeatureGates,
  release = '1.32',
): FeatureGates {
  const settings = readPairs(text);
  requireSettable(settings, gates, release);
  const enabled = new Map(Object.entries(gates).map(([name, gate]) => [name, decide(name, gate, settings)]));
  return {
    isEnabled(gate) {
      const result = enabled.get(gate);
      if (result === undefined) throw new TypeError(`there is no feature gate ${gate}`);
      return result;
    },
    warnings: [...settings].flatMap(([name, value]) => warningsOf(name, value, gates[name])),
  };
}

/** Every gate with its default. */
export const defaultFeatureGates: FeatureGates = parseFeatureGates('');

function readPairs(text: string): ReadonlyMap<string, boolean> {
  const settings = new Map<string, boolean>();
  for (const pair of text.split(',')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    if (equals < 0) throw new Error(`missing bool value for ${name}`);
    settings.set(name, readBoolean(name, pair.slice(equals + 1).trim()));
  }
  return settings;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function readBoolean(name: string, text: string): boolean {
  const value = BOOLEANS.get(text);
  if (value !== undefined) return value;
  throw new Error(
    `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`,
  );
}

/** An unknown gate ends parsing, locked ones are reported together. */
function requireSettable(
  settings: ReadonlyMap<string, boolean>,
  gates: Readonly<Record<string, FeatureGate>>,
  release: string,
): void {
  const errors: string[] = [];
  for (const [name, value] of settings) {
    if (GATES_OF_STAGES.has(name)) continue;
    const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
    if (!gate) {
      errors.push(`unrecognized feature gate: ${name}`);
      break;
    }
    if (gate.stage === 'pre-alpha')
      errors.push(
        `cannot set feature gate ${name} to ${value}, feature is PreAlpha at emulated version ${release}`,
      );
    else if (gate.locked && gate.default !== value)
      errors.push(
        `cannot set feature gate ${name} to ${value}, feature is locked to ${String(gate.default)}`,
      );
  }
  if (errors.length > 0) throw new Error(joinedTexts(errors));
}

function decide(name: string, gate: FeatureGate, settings: ReadonlyMap<string, boolean>): boolean {
  const own = settings.get(name);
  if (own !== undefined) return own;
  for (const [all, stage] of GATES_OF_STAGES) {
    const ofStage = gate.stage === stage ? settings.get(all) : undefined;
    if (ofStage !== undefined) return ofStage;
  }
  return gate.default;
}

function warningsOf(name: string, value: boolean, gate: FeatureGate | undefined): readonly string[] {
  if (gate?.stage !== 'stable' && gate?.stage !== 'deprecated') return [];
  const stage = gate.stage === 'stable' ? 'GA' : 'deprecated';
  return [
    `Setting ${stage} feature gate ${name}=${value}. It will be removed in a future release.`,
    ...(gate.locked
      ? [`Feature gate ${name} has no effect: its feature is always ${gate.default ? 'on' : 'off'}.`]
      : []),
  ];
}
