/** Controllers that can be selected, and whether they run by default. */
const ON_BY_DEFAULT = {
  namespace: true,
  garbagecollector: true,
  'clusterrole-aggregation': true,
  csrsigning: true,
  csrcleaner: true,
  'root-ca-cert-publisher': true,
  'validatingadmissionpolicy-status': true,
  svm: true,
  tokencleaner: false,
  bootstrapsigner: false,
  serviceaccount: false,
  resourcequota: false,
} as const;

/**
 * `namespace` deletes the content of deleted namespaces, `garbagecollector` objects whose owners are gone, `clusterrole-aggregation` combines rules of cluster roles, `csrsigning` and `csrcleaner` sign
 * and delete certificate signing requests, `tokencleaner` deletes expired bootstrap tokens, `bootstrapsigner` signs `cluster-info`,
 * `serviceaccount` creates the service account `default` in every namespace, `resourcequota` counts what quotas limit, `root-ca-cert-publisher` the config map with the CA
 * certificate of the server, `validatingadmissionpolicy-status` checks the types of admission policies, `svm` carries out storage version
 * migrations where they are served.
 */
export type ControllerName = keyof typeof ON_BY_DEFAULT;

/**
 * A name enables a controller, a name after a hyphen disables it, `*` enables all that are on by default. `-*` enables none, beside
 * programs that have these controllers, such as a kube-controller-manager.
 */
export type ControllerChoice = '*' | '-*' | ControllerName | `-${ControllerName}`;

/** The names of all controllers. */
export const controllerNames: readonly ControllerName[] = Object.keys(ON_BY_DEFAULT) as ControllerName[];

/**
 * Returns whether a controller is enabled; the first choice that names it counts.
 * @param enabled controllers that are also on by default because another option needs them
 */
export function isChosen(
  choices: readonly ControllerChoice[],
  name: ControllerName,
  enabled: readonly ControllerName[] = [],
): boolean {
  const named = choices.find((choice) => choice === name || choice === `-${name}`);
  if (named !== undefined) return named === name;
  return choices.includes('*') && (ON_BY_DEFAULT[name] || enabled.includes(name));
}

/** Controllers by their long names. */
const FULL_NAMES: ReadonlyMap<string, ControllerName> = new Map([
  ['namespace-controller', 'namespace'],
  ['garbage-collector-controller', 'garbagecollector'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  ['certificatesigningrequest-signing-controller', 'csrsigning'],
  ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  ['token-cleaner-controller', 'tokencleaner'],
  ['bootstrap-signer-controller', 'bootstrapsigner'],
  ['serviceaccount-controller', 'serviceaccount'],
  ['resourcequota-controller', 'resourcequota'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  ['validatingadmissionpolicy-status-controller', 'validatingadmissionpolicy-status'],
  ['storage-version-migrator-controller', 'svm'],
]);

/** Parses a choice; long names are accepted. @throws Error for an unknown controller */
export function parseControllerChoice(text: string): ControllerChoice {
  if (text === '*' || text === '-*') return text;
  const [, hyphen, requestedName = ''] = /^(-?)(.*)$/.exec(text) ?? [];
  const name = FULL_NAMES.get(requestedName) ?? controllerNames.find((each) => each === requestedName);
  if (name) return hyphen ? `-${name}` : name;
  throw new Error(`unknown controller ${requestedName}; known controllers are ${controllerNames.join(', ')}`);
}
