/** The parts of a version like `3.5.16`; undefined for anything else. */
function parseEtcdVersion(text: string): readonly [number, number, number] | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/**
 * Whether progress notifications of that version follow the events that they cover. Before 3.4.31 and 3.5.13
 * they could overtake pending events, which a client that trusts them would lose.
 */
export function hasOrderedProgress(text: string): boolean {
  const version = parseEtcdVersion(text);
  if (!version) return false;
  const [major, minor, patch] = version;
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 31;
  if (minor === 5) return patch >= 13;
  return minor > 5;
}

/** Whether a server of that version supports fragments and progress requests: 3.4 and later. */
export function isSupportedVersion(text: string): boolean {
  const version = parseEtcdVersion(text);
  return version !== undefined && (version[0] > 3 || (version[0] === 3 && version[1] >= 4));
}
