const COMPONENT: string = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const HOST_LABEL: string = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST: string = `(?:${HOST_LABEL}(?:\\.${HOST_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const REFERENCE: RegExp = new RegExp(
  `^(?:${HOST}/)?${COMPONENT}(?:/${COMPONENT})*(?::(?<tag>\\w[\\w.-]{0,127}))?` +
    '(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$',
);

/** The tag of an image's name: `latest` where neither tag nor digest is given, nothing where the name is none. */
export function imageTag(image: string): string | undefined {
  const match = REFERENCE.exec(image);
  if (!match) return undefined;
  const { tag, digest } = match.groups ?? {};
  return tag ?? (digest === undefined ? 'latest' : undefined);
}
