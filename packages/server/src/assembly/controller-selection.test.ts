import { describe, expect, it } from 'vitest';
import { controllerNames, isChosen, parseControllerChoice } from './controller-selection.ts';

const chosen = (text: string): readonly string[] => {
  const choices = text.split(',').map(parseControllerChoice);
  return controllerNames.filter((name) => isChosen(choices, name));
};

describe('the selection of controllers', () => {
  const BY_DEFAULT = [
    ...['namespace', 'garbagecollector', 'clusterrole-aggregation', 'csrsigning', 'csrcleaner'],
    ...['root-ca-cert-publisher', 'validatingadmissionpolicy-status', 'svm'],
  ];
  it.each([
    ['*', BY_DEFAULT],
    ['*,tokencleaner', [...BY_DEFAULT, 'tokencleaner']],
    ['*,-csrsigning', BY_DEFAULT.filter((name) => name !== 'csrsigning')],
    ['-csrcleaner', []],
    ['-*', []],
    ['-*,namespace', ['namespace']],
    ['tokencleaner,bootstrapsigner', ['tokencleaner', 'bootstrapsigner']],
    ['-namespace,namespace', []],
    ['token-cleaner-controller,namespace-controller', ['namespace', 'tokencleaner']],
    ['*,serviceaccount-controller', [...BY_DEFAULT, 'serviceaccount']],
    ['*,-namespace-controller', BY_DEFAULT.slice(1)],
    ['garbage-collector-controller', ['garbagecollector']],
  ])('%s', (text, names) => {
    expect(chosen(text)).toEqual(names);
  });

  it('rejects unknown names', () => {
    expect(() => chosen('-nobody')).toThrow(
      'unknown controller nobody; known controllers are namespace, garbagecollector, clusterrole-aggregation, csrsigning, csrcleaner, root-ca-cert-publisher, validatingadmissionpolicy-status, svm, tokencleaner, bootstrapsigner, serviceaccount, resourcequota',
    );
  });
});
