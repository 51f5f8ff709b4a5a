import {
  dns1123SubdomainErrors,
  kubernetesVocabulary,
  labelValueErrors,
  parseCidr,
  parseDuration,
  parseFieldSelector,
  parseIpAddress,
  parseJsonPointer,
  parseLabelSelector,
  parseMicroTime,
  parseQuantity,
  parseTime,
  qualifiedNameErrors,
  wildcardDns1123SubdomainErrors,
} from '@ashlar/core';
import { decodeContinueToken } from '@ashlar/registry';
import { compileJsonPath, readRuleFieldPath } from '@ashlar/schema';
import { type Target, textTarget } from '../target.ts';

const REFUSALS = ['ParseError'];

/** Short texts in queries and fields. */
export const textTargets: readonly Target[] = [
  textTarget({
    name: 'label-selector',
    seeds: ['a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2', 'app.example.com/name=web', ' a  ==  b '],
    words: [' in ', ' notin ', '(', ')', ',', '=', '!=', '==', '!', '>', '<', '/', '.', ' ', '\t', '-'],
    refusals: REFUSALS,
    read: (text) => String(parseLabelSelector(text)),
  }),
  textTarget({
    name: 'field-selector',
    seeds: ['metadata.name=a,metadata.namespace!=b', 'a=\\,\\=\\\\', 'a==b'],
    words: ['=', '!=', '==', ',', '\\', '\\,', '\\=', '\\\\', '.'],
    refusals: REFUSALS,
    read: (text) => String(parseFieldSelector(text)),
  }),
  textTarget({
    name: 'quantity',
    seeds: ['1', '1.5Gi', '-100m', '1e3', '0.000000001', '12E', '+.5k', '1E-3'],
    words: ['0', '.', 'e', 'E', '-', '+', 'Ki', 'm', 'n', 'Ei', '9223372036854775807', '000000'],
    refusals: REFUSALS,
    read: (text) => String(parseQuantity(text)),
  }),
  textTarget({
    name: 'duration',
    seeds: ['1h30m', '-1.5s', '300ms', '0', '1µs', '2562047h47m16.854775807s'],
    words: ['h', 'm', 's', 'ms', 'us', 'µs', 'ns', '.', '-', '000s', '0.', '1h'],
    refusals: REFUSALS,
    read: parseDuration,
  }),
  textTarget({
    name: 'time',
    seeds: [
      '2024-02-29T12:00:00Z',
      '2024-02-29T12:00:00.123456Z',
      '0001-01-01T00:00:00Z',
      '2024-01-01T00:00:00+01:30',
    ],
    words: ['T', 'Z', ':', '-', '+00:00', '.', '000000', '60', '24', '9999', 'z', 't'],
    refusals: REFUSALS,
    read(text) {
      try {
        parseTime(text);
      } catch (error) {
        if (!(error instanceof Error && error.name === 'ParseError')) throw error;
      }
      return parseMicroTime(text);
    },
  }),
  textTarget({
    name: 'json-pointer',
    seeds: ['', '/a/b~0c~1d', '/0/-', '/a//'],
    words: ['/', '~', '~0', '~1', '-', '0'],
    refusals: REFUSALS,
    read: parseJsonPointer,
  }),
  textTarget({
    name: 'continue-token',
    seeds: [
      Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a/b\\u0000"}').toString('base64url'),
      'e30',
      '',
    ],
    words: ['e30', '=', '==', '-', '_', '+', '/'],
    refusals: [...REFUSALS, 'StatusError'],
    read: (text) => decodeContinueToken(text, '/registry/configmaps/', kubernetesVocabulary),
  }),
  textTarget({
    name: 'names',
    seeds: ['a', 'a.b-c', '*.example.com', 'example.com/Name_1', 'A.b_c-d'],
    words: ['.', '-', '_', '/', '*.', 'A', '0', '--', '..'],
    refusals: REFUSALS,
    read: (text) => [
      qualifiedNameErrors(text),
      labelValueErrors(text),
      dns1123SubdomainErrors(text),
      wildcardDns1123SubdomainErrors(text),
    ],
  }),
  textTarget({
    name: 'address',
    seeds: ['10.0.0.1', '::1', 'fe80::1%eth0', '::ffff:1.2.3.4', '10.0.0.0/8', '2001:db8::/32'],
    words: [':', '::', '.', '/', '0', 'ffff', '255', '%'],
    refusals: REFUSALS,
    read: (text) => [parseIpAddress(text), parseCidr(text)],
  }),
  textTarget({
    name: 'json-path',
    seeds: [
      '.spec.replicas',
      '{.a[0].b}',
      ".a[?(@.b=='c')].d",
      '..a',
      ".a['b','c']",
      '.a[-1:0:2]',
      '{range .a[*]}{.b}{end}',
    ],
    words: ['.', '..', '[', ']', '[?(', ')]', '@', '*', "'", '"', '{', '}', '==', '<=', ':', '-1', '\\'],
    refusals: ['JsonPathError'],
    read: (text) => compileJsonPath(text),
  }),
  textTarget({
    name: 'rule-field-path',
    seeds: ['.spec.a', ".a['b.c']", '.a[0]'],
    words: ['.', "['", "']", '\\', "'", '['],
    refusals: ['Error', ...REFUSALS],
    read: (text) =>
      readRuleFieldPath(text, {
        type: 'object',
        properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
      }),
  }),
];
