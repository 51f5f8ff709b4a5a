import { beforeEach, describe, expect, it } from 'vitest';
import { Words } from '../conformance/differential/words.ts';

/** As recordings are translated, for the words of these tests. */
const toOrch = (text: string): string =>
  text.replace(/\b(?:k8s|kubernetes)\.io\b/g, 'orch.io').replace(/"kubernetes"/g, '"orch"');

let words: Words;

beforeEach(() => {
  words = new Words(toOrch);
  words.learn('{"kubernetes.io/metadata.name":1,"node.kubernetes.io/not-ready":1,"node.k8s.io/v1":1}');
});

describe('Words', () => {
  it.each([
    ['a label', 'orch.io/metadata.name', 'kubernetes.io/metadata.name'],
    ['a group', 'node.orch.io/v1', 'node.k8s.io/v1'],
    ['another name of that domain', 'node.orch.io/not-ready', 'node.kubernetes.io/not-ready'],
    [
      'a name in a path of fields',
      '/metadata/labels/orch.io~1metadata.name',
      '/metadata/labels/kubernetes.io~1metadata.name',
    ],
    ['a name that nobody has seen', 'x.orch.io', 'x.k8s.io'],
    ['several', 'orch.io/metadata.name,node.orch.io/v1', 'kubernetes.io/metadata.name,node.k8s.io/v1'],
    [
      'the name of the vendor, also where it is quoted',
      '"orch" \\"orch\\" torch',
      '"kubernetes" \\"kubernetes\\" torch',
    ],
    ['the name of the vendor in YAML', 'finalizers:\n- orch\n', 'finalizers:\n- kubernetes\n'],
  ])('gives %s its original back', (_, translated, original) => {
    expect(words.toKubernetes(translated)).toBe(original);
  });

  it('learns the names that it translates', () => {
    expect(words.toKubernetes('orch.io/tls')).toBe('k8s.io/tls');
    expect(words.toOrch('"kubernetes.io/tls"')).toBe('"orch.io/tls"');
    expect(words.toKubernetes('orch.io/tls')).toBe('kubernetes.io/tls');
  });
});
