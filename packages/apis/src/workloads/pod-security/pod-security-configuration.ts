import { dns1123LabelErrors, dns1123SubdomainErrors, type FieldError, FieldErrors } from '@ashlar/core';
import type { PodSecurityExemptions } from '../admission/pod-security-options.ts';
import {
  LEVEL_RULE,
  MODES,
  parseLevel,
  parseVersion,
  type SecurityPolicy,
  VERSION_RULE,
} from './pod-security-levels.ts';

/** The configuration of pod security as it is written: `{ defaults: { enforce: 'baseline' }, exemptions: { namespaces: ['n'] } }`. */
export interface PodSecurityConfiguration {
  /** `enforce`, `enforce-version`, `audit`, …; default `privileged` and `latest`. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly exemptions?: Partial<PodSecurityExemptions>;
}

/** Reads a configuration of pod security. */
export function readPodSecurityConfiguration({ defaults = {}, exemptions = {} }: PodSecurityConfiguration): {
  readonly defaults: SecurityPolicy;
  readonly exemptions: PodSecurityExemptions;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const standards = MODES.map((mode) => {
    const [level, version] = [defaults[mode] || 'privileged', defaults[`${mode}-version`] || 'latest'];
    if (!parseLevel(level)) errors.push(FieldErrors.invalid(`defaults.${mode}`, level, LEVEL_RULE));
    if (!parseVersion(version))
      errors.push(FieldErrors.invalid(`defaults.${mode}-version`, version, VERSION_RULE));
    const standard = { level: parseLevel(level) ?? 'restricted', minor: parseVersion(version)?.minor };
    return [mode, standard] as const;
  });
  const { namespaces = [], usernames = [], runtimeClasses = [] } = exemptions;
  errors.push(
    ...nameErrors('namespaces', namespaces, dns1123LabelErrors),
    ...nameErrors('runtimeClasses', runtimeClasses, dns1123SubdomainErrors),
    ...nameErrors('usernames', usernames, (name) => (name === '' ? ['username must not be empty'] : [])),
  );
  return {
    defaults: Object.fromEntries(standards) as unknown as SecurityPolicy,
    exemptions: { namespaces, usernames, runtimeClasses },
    errors,
  };
}

function nameErrors(
  list: keyof PodSecurityExemptions,
  names: readonly string[],
  errorsOf: (name: string) => readonly string[],
): readonly FieldError[] {
  return names.flatMap((name, i) => {
    const path = `exemptions.${list}[${i}]`;
    const why = errorsOf(name);
    if (why.length > 0) return [FieldErrors.invalid(path, name, why.join(', '))];
    return names.indexOf(name) < i ? [FieldErrors.duplicate(path, name)] : [];
  });
}
