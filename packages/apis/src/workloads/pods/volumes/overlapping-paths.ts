import { goQuote } from '@ashlar/core';
import { firstWarnings, MAXIMUM_COMPARED } from '../../../types/first-warnings.ts';
import type { Volume, VolumeProjection } from './volume-types.ts';

/** A path of a volume and what is written there. */
interface Source {
  readonly path: string;
  readonly source: string;
}

interface Files {
  readonly name?: string;
  readonly secretName?: string;
  readonly items?: readonly { readonly path?: string }[];
}

/** Each is compared with a hundred others. */
const MAXIMUM_FILES = 5000;

/** Texts of Warning headers about volumes that write the same file twice, or a file and below it. */
export function overlapWarnings(volumes: readonly Volume[]): readonly string[] {
  return volumes.flatMap(({ name = '', configMap, secret, downwardAPI, projected }) => {
    const warning = (what: string, sources: readonly Source[]): readonly string[] =>
      overlaps(sources).map((text) => `volume ${goQuote(name)} (${what}): overlapping paths: ${text}`);
    const map = configMap as Files | undefined;
    const data = secret as Files | undefined;
    return [
      ...warning(`ConfigMap ${goQuote(map?.name ?? '')}`, sourcesOf(map)),
      ...warning(`Secret ${goQuote(data?.secretName ?? '')}`, sourcesOf(data)),
      ...warning('DownwardAPI', sourcesOf(downwardAPI as Files | undefined)),
      ...firstWarnings(projected?.sources ?? [], (source) =>
        Object.keys(source).length === 0
          ? [`volume ${goQuote(name)} (Projected) has no sources provided`]
          : [],
      ),
      ...warning('Projected', (projected?.sources ?? []).slice(0, MAXIMUM_FILES).flatMap(projectedSources)),
    ];
  });
}

const sourcesOf = (files: Files | undefined, source = ''): readonly Source[] =>
  (files?.items ?? []).slice(0, MAXIMUM_FILES).map(({ path = '' }) => ({ path, source }));

function projectedSources(projection: VolumeProjection): readonly Source[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  const map = configMap as Files | undefined;
  const data = secret as Files | undefined;
  if (map?.items) return sourcesOf(map, `ConfigMap ${goQuote(map.name ?? '')}`);
  if (data?.items) return sourcesOf(data, `Secret ${goQuote(data.name ?? '')}`);
  if ((downwardAPI as Files | undefined)?.items) return sourcesOf(downwardAPI as Files, 'DownwardAPI');
  const { path } = (serviceAccountToken ?? {}) as { readonly path?: string };
  return serviceAccountToken ? [{ path: path ?? '', source: 'ServiceAccountToken' }] : [];
}

function overlaps(sources: readonly Source[]): readonly string[] {
  const seen: Source[] = [];
  return firstWarnings(sources.slice(0, MAXIMUM_FILES), ({ path, source }) => {
    const next = { path: withoutSlashes(path), source };
    const found = next.path === '' ? [] : seen.filter((other) => isOverlap(other.path, next.path));
    if (seen.length < MAXIMUM_COMPARED) seen.push(next);
    return found.map((other) => `${sourceText(next)} with ${sourceText(other)}`);
  });
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Whether one path is the other, or below it. */
function isOverlap(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short === '' || !long.startsWith(short)) return false;
  return long.length === short.length || long[short.length] === '/';
}

const sourceText = ({ path, source }: Source): string =>
  source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
