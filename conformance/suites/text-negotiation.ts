import {
  type NegotiatedMediaType,
  negotiateAccept,
  negotiateContentType,
  objectMediaTypes,
  plainOnly,
  type TransformRule,
} from '@ashlar/codec';
import { kubernetesVocabulary } from '@ashlar/core';
import type { CaseResult, Suite } from '../suite.ts';
import { answerOf, compare, type OracleCase, readOracle } from './codec/oracle.ts';

const SERVED = objectMediaTypes(kubernetesVocabulary);
const KINDS = ['Table', 'PartialObjectMetadata'];
const VERSIONS = ['v1', 'v1beta1'];

/** The oracle's endpoint `transforming` supports both kinds in every media type. */
const transforming: TransformRule = (_mediaType, transform) =>
  transform === undefined ||
  (transform.group === 'meta.k8s.io' &&
    VERSIONS.includes(transform.version) &&
    KINDS.includes(transform.kind));

/** Accept and Content-Type headers, compared with the reference's choices (oracles/text*.jsonl). */
export const suite: Suite = {
  name: 'oracles/text',
  async *run(dataDirectory) {
    for (const entry of readOracle(dataDirectory, 'text')) {
      const runCase = CHECKS[entry.suite];
      if (runCase) yield runCase(entry);
    }
  },
};

const CHECKS: Readonly<Record<string, (entry: OracleCase) => CaseResult>> = {
  accept: checkAccept,
  'accept-random': checkAccept,
  'content-type': checkContentType,
  'media-types': (entry) =>
    compare(
      entry,
      entry.types,
      SERVED.map(({ mediaType }) => mediaType),
    ),
};

function checkAccept(entry: OracleCase): CaseResult {
  const header = entry.accept as string;
  const choose = (rule: TransformRule) => inOracleForm(negotiateAccept(header, SERVED, rule));
  const { plain, transforming: transformed } = entry;
  return compare(
    entry,
    { plain, transforming: transformed },
    { plain: choose(plainOnly), transforming: choose(transforming) },
  );
}

function inOracleForm(negotiated: NegotiatedMediaType | null): unknown {
  if (!negotiated) return null;
  const { mediaType, transform, stream, pretty } = negotiated;
  return {
    mediaType,
    ...(transform && { convert: [transform.group, transform.version, transform.kind] }),
    ...(stream && { stream }),
    ...(pretty && { pretty }),
  };
}

function checkContentType(entry: OracleCase): CaseResult {
  const { contentType, streaming, error, mediaType } = entry;
  const actual = answerOf(() => ({
    mediaType: negotiateContentType(contentType as string, SERVED, streaming as boolean),
  }));
  return compare(entry, error === undefined ? { mediaType } : { error }, actual);
}
