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
      ...projectedWarnings(projected?.sources ?? [], `volume ${goQuote(name)} (Projected)`),
    ];
  });
}

const sourcesOf = (files: Files | undefined, source = ''): readonly Source[] =>
  (files?.items ?? []).slice(0, MAXIMUM_FILES).map(({ path = '' }) => ({ path, source }));

function projectedWarnings(sources: readonly VolumeProjection[], volume: string): readonly string[] {
  const overlapsOf = overlapFinder();
  return firstWarnings(projectedFiles(sources), (file) =>
    file
      ? overlapsOf(file).map((text) => `${volume}: overlapping paths: ${text}`)
      : [`${volume} has no sources provided`],
  );
}

/** The files of projections, and undefined for each that has none at all. */
function* projectedFiles(projections: readonly VolumeProjection[]): Iterable<Source | undefined> {
  let files: readonly Source[] = [];
  let remaining = MAXIMUM_FILES;
  for (const projection of projections) {
    const isEmpty = Object.keys(projection).length === 0;
    // release 1.32 takes the files of the one before for those of one that lists none
    files = projectedSources(projection) ?? files;
    const next = isEmpty ? [undefined] : files.slice(0, remaining);
    yield* next;
    remaining -= Math.max(next.length, 1);
    if (remaining <= 0) return;
  }
}

/** Undefined if a projection does not list its files. */
function projectedSources(projection: VolumeProjection): readonly Source[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  const map = configMap as Files | undefined;
  const data = secret as Files | undefined;
  if (map?.items) return sourcesOf(map, `ConfigMap ${goQuote(map.name ?? '')}`);
  if (data?.items) return sourcesOf(data, `Secret ${goQuote(data.name ?? '')}`);
  if ((downwardAPI as Files | undefined)?.items) return sourcesOf(downwardAPI as Files, 'DownwardAPI');
  const { path } = (serviceAccountToken ?? {}) as { readonly path?: string };
  return serviceAccountToken ? [{ path: path ?? '', source: 'ServiceAccountToken' }] : undefined;
}

const overlaps = (sources: readonly Source[]): readonly string[] =>
  firstWarnings(sources.slice(0, MAXIMUM_FILES), overlapFinder());

/** Tells of each file which ones before it are at the same place. */
function overlapFinder(): (file: Source) => readonly string[] {
  const seen: Source[] = [];
  return ({ path, source }) => {
    const next = { path: withoutSlashes(path), source };
    const found = next.path === '' ? [] : seen.filter((other) => isOverlap(other.path, next.path));
    if (seen.length < MAXIMUM_COMPARED) seen.push(next);
    return found.map((other) => `${sourceText(next)} with ${sourceText(other)}`);
  };
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
