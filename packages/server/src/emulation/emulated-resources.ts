import type { ReleaseEmulation } from '@ashlar/apis/withdrawn';
import type { Vocabulary } from '@ashlar/core';
import type { ServerVersion } from '@ashlar/http';
import type { ResourceDefinition } from '@ashlar/registry';
import { RuntimeConfigError } from '../assembly/runtime-config.ts';

/** Returns kinds as a server serves them: with the versions of the emulated release, if there is one. */
export function emulatedResources(
  emulation: ReleaseEmulation | undefined,
  definitions: readonly ResourceDefinition[],
  vocabulary: Vocabulary,
): readonly ResourceDefinition[] {
  if (!emulation) return definitions;
  const emulated = emulation.apply(definitions, vocabulary);
  return [...emulated, ...emulation.additional(emulated, vocabulary)];
}

/** Returns the version that a server reports: that of the emulated release. */
export function emulatedVersion(
  emulation: ReleaseEmulation | undefined,
  version: ServerVersion,
): ServerVersion {
  if (!emulation) return version;
  const [major = '', minor = ''] = emulation.release.split('.');
  const [, suffix] = version.gitVersion.split('+');
  return { ...version, major, minor, gitVersion: `v${emulation.release}.0${suffix ? `+${suffix}` : ''}` };
}

/**
 * Checks that a release has what the server itself uses.
 * @param needed resources as `<group>/<version>/<resource>`
 * @throws RuntimeConfigError
 */
export function checkEmulation(
  emulation: ReleaseEmulation | undefined,
  definitions: readonly ResourceDefinition[],
  needed: readonly string[],
): void {
  if (!emulation) return;
  const served = new Set(
    definitions.flatMap(({ group, names, versions }) =>
      versions.filter((version) => version.served).map(({ name }) => `${group}/${name}/${names.plural}`),
    ),
  );
  const missing = needed.find((key) => !served.has(key));
  if (missing !== undefined)
    throw new RuntimeConfigError(
      `release ${emulation.release} has no ${missing}, which the server itself needs`,
    );
}
