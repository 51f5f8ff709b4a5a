const SHORT: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Access modes as tables show them: `RWO,ROX`. */
export function accessModesText(modes: readonly string[] = []): string {
  return SHORT.flatMap(([mode, short]) => (modes.includes(mode) ? short : [])).join(',');
}

/** The class of a volume or claim, which older clients set by an annotation. */
export function storageClassText(
  annotations: Readonly<Record<string, string>> | undefined,
  className: string | undefined,
  labelDomain: string,
): string {
  return annotations?.[`volume.beta.${labelDomain}/storage-class`] ?? className ?? '';
}
