import { withdrawnApiServices } from '@ashlar/aggregation';
import { emulatedRelease, type ReleaseEmulation } from '@ashlar/apis/withdrawn';
import { withdrawnDefinitions } from '@ashlar/extensions';

/**
 * Returns what makes a server serve the API of another release of Kubernetes: its group versions with its warnings, and no others. Old
 * versions are converted to and from the ones in which objects are stored, so that they can be read in either.
 *
 * @param release `1.16` to `1.32`
 * @throws TypeError for another release
 * @example
 * const server = createApiServer({ emulation: emulateRelease('1.21') });
 */
export function emulateRelease(release: string): ReleaseEmulation {
  return emulatedRelease(release, (vocabulary) => [
    ...withdrawnDefinitions(vocabulary),
    ...withdrawnApiServices(vocabulary),
  ]);
}
