import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeJson, encodeJson } from '@ashlar/codec';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** A release as Helm keeps it in the cluster, in a secret or a config map. */
export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  /** `deployed`, `superseded`, `failed` … */
  readonly status: string;
  /** The rendered manifests of the release and of its hooks, each a text of several documents. */
  readonly texts: readonly string[];
  /** Returns the value of `data.release` of the same release with other texts, in the same order. */
  encode(texts: readonly string[]): string;
}

/** Releases are at most 1 MiB compressed. What is much larger decompressed is none. */
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const SECRET_TYPE = 'helm.sh/release.v1';

/**
 * Returns the release in an object; undefined if it is another object.
 * @throws Error for a release that cannot be read
 */
export function helmReleaseIn(object: JsonObject): HelmRelease | undefined {
  const isSecret = object.kind === 'Secret' && object.type === SECRET_TYPE;
  if (!isSecret && !(object.kind === 'ConfigMap' && labelOf(object, 'owner') === 'helm')) return undefined;
  const { release: data } = (object.data ?? {}) as JsonObject;
  if (typeof data !== 'string') return undefined;
  const stored = isSecret ? Buffer.from(data, 'base64').toString('latin1') : data;
  const packed = Buffer.from(stored, 'base64');
  const isCompressed = packed[0] === 0x1f && packed[1] === 0x8b;
  const bytes = isCompressed ? gunzipSync(packed, { maxOutputLength: MAXIMUM_BYTES }) : packed;
  const release = decodeJson(bytes, { maximumValues: Number.POSITIVE_INFINITY }).value;
  if (!isJsonObject(release)) throw new Error('is no release of Helm');
  const encode = (changed: JsonObject): string => {
    const text = encodeJson(changed);
    const inner = Buffer.from(isCompressed ? gzipSync(text, { level: 9 }) : text).toString('base64');
    return isSecret ? Buffer.from(inner).toString('base64') : inner;
  };
  return releaseOf(release, encode);
}

function releaseOf(release: JsonObject, encode: (changed: JsonObject) => string): HelmRelease {
  const { name = '', namespace = '', version = 0, manifest = '', info = {} } = release;
  const hooks = (Array.isArray(release.hooks) ? release.hooks : []).filter(isJsonObject);
  return {
    ...{ name: String(name), namespace: String(namespace), revision: Number(version) },
    status: isJsonObject(info) ? String(info.status ?? '') : '',
    texts: [manifest, ...hooks.map((hook) => hook.manifest ?? '')].map(String),
    encode: ([changed, ...changedHooks]) =>
      encode({
        ...release,
        manifest: changed ?? '',
        ...(hooks.length > 0 && {
          hooks: hooks.map((hook, index) => ({ ...hook, manifest: changedHooks[index] ?? '' })),
        }),
      }),
  };
}

function labelOf({ metadata }: JsonObject, label: string): JsonValue | undefined {
  const labels = isJsonObject(metadata ?? null) ? (metadata as JsonObject).labels : undefined;
  return labels !== undefined && isJsonObject(labels) ? labels[label] : undefined;
}
