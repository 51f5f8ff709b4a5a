import type { Vocabulary } from '@ashlar/core';
import { type FunctionDeclaration, type Library, method, overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { readsFirst } from '../cost/cost-model.ts';
import { estimateReading } from '../cost/estimate-model.ts';
import {
  hostnameOf,
  parseUrl,
  portOf,
  queryParameters,
  requestUrlError,
  type UrlParts,
} from '../values/url.ts';
import { EvaluationError, Opaque, type Value } from '../values/values.ts';

const { bool, string } = types;

/** A URL. */
class UrlValue extends Opaque {
  readonly type: CelType;
  readonly parts: UrlParts;
  constructor(type: CelType, parts: UrlParts) {
    super();
    this.type = type;
    this.parts = parts;
  }
  equals(other: Opaque): boolean {
    return other instanceof UrlValue && other.toString() === this.toString();
  }
  override toString(): string {
    const { scheme, host, escapedPath, query } = this.parts;
    return `${scheme}://${host}${escapedPath}?${query}`;
  }
}

const query = (url: UrlValue): Value => Object.fromEntries(queryParameters(url.parts.query));

/** `url`, `isURL` and the parts of a URL (semantics/schemas#rules). */
export function urlsLibrary(vocabulary: Vocabulary): Library {
  const type: CelType = { ...types.object(`${vocabulary.name}.URL`), comparison: 'by-size' };
  const url = (text: string): Value => {
    const parts = parseUrl(text);
    if (typeof parts !== 'string') return new UrlValue(type, parts);
    return new EvaluationError(`URL parse error during conversion from string: ${parts}`);
  };
  const part = (name: string, id: string, read: (parts: UrlParts) => string): FunctionDeclaration => ({
    name,
    overloads: [method(id, [type], string, (value: UrlValue) => read(value.parts))],
  });
  return {
    name: 'urls',
    types: [type],
    functions: [
      {
        name: 'url',
        overloads: [
          overload('string_to_url', [string], type, url, {
            cost: readsFirst(),
            estimate: estimateReading(1, true),
          }),
        ],
      },
      {
        name: 'isURL',
        overloads: [
          overload('is_url_string', [string], bool, (text: string) => requestUrlError(text) === undefined),
        ],
      },
      part('getScheme', 'url_get_scheme', (parts) => parts.scheme),
      part('getHost', 'url_get_host', (parts) => parts.host),
      part('getHostname', 'url_get_hostname', (parts) => hostnameOf(parts.host)),
      part('getPort', 'url_get_port', (parts) => portOf(parts.host)),
      part('getEscapedPath', 'url_get_escaped_path', (parts) => parts.escapedPath),
      {
        name: 'getQuery',
        overloads: [method('url_get_query', [type], types.map(string, types.list(string)), query)],
      },
    ],
  };
}
