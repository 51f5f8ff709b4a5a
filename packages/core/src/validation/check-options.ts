import { nearestName } from '../text/nearest-name.ts';

/**
 * Refuses options that do not exist: what is mistyped would otherwise be ignored in silence.
 * @param callee who takes the options, as errors name it: `defineResource`
 * @throws TypeError that names the option and the one that was probably meant
 */
export function checkOptionNames(callee: string, options: unknown, supported: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${callee} takes an object with options, not ${actualValueText(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (supported.includes(name)) continue;
    const similar = nearestName(name, supported);
    const help =
      similar === undefined ? `its options are ${supported.join(', ')}` : `did you mean "${similar}"?`;
    throw new TypeError(`${callee} has no option "${name}": ${help}`);
  }
}

/** An error of an option: what was expected, and what was given. */
export function optionError(callee: string, option: string, expected: string, actual: unknown): TypeError {
  return new TypeError(`option "${option}" of ${callee} must be ${expected}, not ${actualValueText(actual)}`);
}

/** @throws TypeError for what is no vocabulary, such as its name */
export function checkVocabulary(callee: string, vocabulary: unknown): void {
  const { name, groupDomain } = (vocabulary ?? {}) as {
    readonly name?: unknown;
    readonly groupDomain?: unknown;
  };
  if (typeof name === 'string' && typeof groupDomain === 'string') return;
  throw new TypeError(
    `${callee} takes a vocabulary, such as kubernetesVocabulary of @ashlar/core, not ${actualValueText(vocabulary)}`,
  );
}

/** A value that was given, in a few words. */
export function actualValueText(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise: await it first';
  return `an object with ${membersText(value)}`;
}

function membersText(value: object): string {
  const names = Object.keys(value).slice(0, 5);
  return names.length === 0 ? 'no members' : `the members ${names.join(', ')}`;
}
