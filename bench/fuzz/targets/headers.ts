import {
  negotiateAccept,
  objectMediaTypes,
  objectTransforms,
  parseAccept,
  parseContentType,
} from '@ashlar/codec';
import { kubernetesVocabulary, parseProxyUrl } from '@ashlar/core';
import { parseRequestInfo } from '../../../packages/http/src/request/request-info.ts';
import { type Target, textTarget } from '../target.ts';

const served = objectMediaTypes(kubernetesVocabulary);
const transforms = objectTransforms;

/** Request headers. */
export const headerTargets: readonly Target[] = [
  textTarget({
    name: 'accept',
    encoding: 'latin1',
    seeds: [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml;q=0.5,*/*',
      'text/*;q=0',
      'a/b;c="d\\"e";f=g',
    ],
    words: [
      ';',
      ',',
      '=',
      '"',
      '\\"',
      'q=',
      'q=0.',
      ' ',
      '\t',
      '*/*',
      ';as=Table',
      ';stream=watch',
      '/',
      '000',
      'application/json',
    ],
    refusals: [],
    read(text) {
      for (const clause of parseAccept(text)) String(clause);
      return negotiateAccept(text, served, transforms(kubernetesVocabulary));
    },
  }),
  textTarget({
    name: 'content-type',
    encoding: 'latin1',
    seeds: ['application/json', 'application/json; charset=utf-8', 'application/json;a="b\\"c";d=e'],
    words: [';', '=', '"', '\\"', ' ', '\t', '/', 'charset', '%', "*=utf-8''"],
    refusals: [],
    read: parseContentType,
  }),
  textTarget({
    name: 'request-target',
    encoding: 'latin1',
    seeds: [
      '/api/v1/namespaces/a/pods/b/log?limit=5&labelSelector=a%3Db',
      '/apis/apps/v1/deployments?watch=1',
      '/api/v1/watch/pods',
      '//a//b',
      '*',
      'http://a/api',
    ],
    words: [
      '/',
      '%2F',
      '%',
      '?',
      '&',
      '=',
      '+',
      '..',
      'watch/',
      'namespaces/',
      '/api/v1/',
      '/apis/',
      'proxy/',
      '%00',
      '#',
    ],
    refusals: ['URIError', 'PlainTextError'],
    read: (text) => parseRequestInfo('GET', text),
  }),
  textTarget({
    name: 'proxy-url',
    seeds: ['http://user:pass@proxy:8080', 'socks5://a:1', 'https://[::1]:3128/'],
    words: ['://', '@', ':', '[', ']', '/', '%', '?', '#'],
    refusals: ['TypeError', 'ParseError', 'Error'],
    read: parseProxyUrl,
  }),
];
