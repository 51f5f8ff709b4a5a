const COMPONENT: RegExp = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const HOST_LABEL: string = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const HOST: RegExp = new RegExp(`^(?:${HOST_LABEL}(?:\\.${HOST_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const TAG: RegExp = /^\w[\w.-]{0,127}$/;
const DIGEST: RegExp = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:(?<hex>[0-9a-fA-F]+)$/;
const MINIMUM_DIGITS = 32;
/** The identifier of an image cannot be its name. */
const IDENTIFIER: RegExp = /^[a-f0-9]{64}$/;
/** The limit of a repository's name, without its host. */
const MOST_CHARACTERS = 255;

/** The tag of an image name: `latest` if neither tag nor digest is given, empty if the name is invalid. */
export function imageTag(image: string): string | undefined {
  const at = image.indexOf('@');
  if (at >= 0 && !isDigest(image.slice(at + 1))) return undefined;
  const tagged = at < 0 ? image : image.slice(0, at);
  // a colon before a slash separates a port
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
  const tag = colon < 0 ? undefined : tagged.slice(colon + 1);
  const name = colon < 0 ? tagged : tagged.slice(0, colon);
  if (IDENTIFIER.test(image) || repositoryLength(name) > MOST_CHARACTERS) return undefined;
  if (!isPath(name) || (tag !== undefined && !TAG.test(tag))) return undefined;
  return tag ?? (at < 0 ? 'latest' : undefined);
}

function isDigest(text: string): boolean {
  return (DIGEST.exec(text)?.groups?.hex ?? '').length >= MINIMUM_DIGITS;
}

/** Components separated by slashes, with an optional host. */
function isPath(text: string): boolean {
  const [first = '', ...others] = text.split('/');
  if (!others.every((component) => COMPONENT.test(component))) return false;
  return COMPONENT.test(first) || (others.length > 0 && HOST.test(first));
}

/** The characters of a repository's name: without a host, and with the prefix of names that consist of one part. */
function repositoryLength(name: string): number {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isHost = /[.:A-Z]/.test(first) || first === 'localhost';
  const path = isHost ? name.slice(slash + 1) : name;
  const isFamiliar = !isHost || DEFAULT_HOSTS.has(first);
  return path.length + (isFamiliar && !path.includes('/') ? 'library/'.length : 0);
}

const DEFAULT_HOSTS: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io']);
