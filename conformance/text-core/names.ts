import {
  cIdentifierErrors,
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  dns1123SubdomainWithUnderscoreErrors,
  environmentVariableNameErrors,
  type FieldError,
  fieldErrorText,
  httpHeaderNameErrors,
  kubernetesVocabulary,
  labelValueErrors,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
  percentErrors,
  portNameErrors,
  qualifiedNameErrors,
  validateAnnotations,
  validateCidr,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateDomainPrefixedPath,
  validateFieldManager,
  validateFinalizers,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateIpAddress,
  validateLabels,
  validateObjectMeta,
  wildcardDns1123SubdomainErrors,
} from '@ashlar/core';
import type { CaseRunner, OracleCase } from './run-oracles.ts';

type Rule = (text: string) => readonly string[];

const asTexts = (errors: readonly FieldError[]): string[] => errors.map(fieldErrorText);

const RULES: Readonly<Record<string, Rule>> = {
  IsQualifiedName: qualifiedNameErrors,
  IsValidLabelValue: labelValueErrors,
  IsDNS1123Label: dns1123LabelErrors,
  IsDNS1123Subdomain: dns1123SubdomainErrors,
  IsDNS1123SubdomainWithUnderscore: dns1123SubdomainWithUnderscoreErrors,
  IsDNS1035Label: dns1035LabelErrors,
  IsWildcardDNS1123Subdomain: wildcardDns1123SubdomainErrors,
  IsCIdentifier: cIdentifierErrors,
  IsValidPortName: portNameErrors,
  IsValidPercent: percentErrors,
  IsHTTPHeaderName: httpHeaderNameErrors,
  IsEnvVarName: environmentVariableNameErrors,
  IsConfigMapKey: configMapKeyErrors,
  'path.IsValidPathSegmentName': pathSegmentErrors,
  'path.IsValidPathSegmentPrefix': pathSegmentPrefixErrors,
  NameIsDNSSubdomain: (text) => validateDnsSubdomain(text, false),
  NameIsDNSSubdomainPrefix: (text) => validateDnsSubdomain(text, true),
  NameIsDNSLabel: (text) => validateDnsLabel(text, false),
  NameIsDNSLabelPrefix: (text) => validateDnsLabel(text, true),
  NameIsDNS1035Label: (text) => validateDns1035Label(text, false),
  NameIsDNS1035LabelPrefix: (text) => validateDns1035Label(text, true),
  IsValidIP: (text) => asTexts(validateIpAddress('f', text)),
  IsValidCIDR: (text) => asTexts(validateCidr('f', text)),
  IsFullyQualifiedName: (text) => asTexts(validateFullyQualifiedName('f', text)),
  IsFullyQualifiedDomainName: (text) => asTexts(validateFullyQualifiedDomainName('f', text)),
  IsDomainPrefixedPath: (text) => asTexts(validateDomainPrefixedPath('f', text)),
  ValidateFinalizerName: (text) => asTexts(validateFinalizers([text], 'f')),
  ValidateFieldManager: (text) => asTexts(validateFieldManager(text, 'f')),
  ValidateLabelName: (text) => asTexts(validateLabels({ [text]: '' }, 'f')),
};

const names: CaseRunner = {
  inputs: ['text'],
  answer: ({ text }, shared) => {
    const rules = shared.get('name-rules')?.rules as readonly string[];
    const errors = rules.map((rule) => [rule, RULES[rule]?.(text) ?? ['no such rule']] as const);
    return { errors: Object.fromEntries(errors.filter(([, texts]) => texts.length > 0)) };
  },
};

const labelMap: CaseRunner = {
  inputs: ['map'],
  unordered: true,
  answer: ({ map }) => ({
    labels: asTexts(validateLabels(map)),
    annotations: asTexts(validateAnnotations(map)),
  }),
};

const objectMeta: CaseRunner = {
  inputs: ['metadata'],
  answer: (test) => ({ namespaced: metadataErrors(test, true), clusterScoped: metadataErrors(test, false) }),
};

function metadataErrors({ metadata }: OracleCase, namespaced: boolean): string[] {
  const rules = { namespaced, validateName: validateDnsSubdomain, vocabulary: kubernetesVocabulary };
  return asTexts(validateObjectMeta(metadata, rules));
}

export const nameChecks: Readonly<Record<string, CaseRunner>> = {
  names,
  'names-random': names,
  'label-map': labelMap,
  'object-meta': objectMeta,
};
