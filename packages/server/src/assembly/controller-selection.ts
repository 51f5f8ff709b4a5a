/** Loops that a host chooses among, and whether they run where nothing is said of them. */
const ON_BY_DEFAULT = {
  namespace: true,
  'clusterrole-aggregation': true,
  csrsigning: true,
  csrcleaner: true,
  'root-ca-cert-publisher': true,
  tokencleaner: false,
  bootstrapsigner: false,
  serviceaccount: false,
} as const;

/**
 * `namespace` empties namespaces that are deleted, `clusterrole-aggregation` collects rules of roles, `csrsigning` and `csrcleaner` sign
 * and delete requests of certificates, `tokencleaner` deletes bootstrap tokens that have expired, `bootstrapsigner` signs `cluster-info`,
 * `serviceaccount` makes the service account `default` in every namespace, `root-ca-cert-publisher` the config map with the authority
 * of the server's certificate.
 */
export type ControllerName = keyof typeof ON_BY_DEFAULT;

/** A name; one behind a hyphen, that is not to run; a star for all that are on by default. */
export type ControllerChoice = '*' | ControllerName | `-${ControllerName}`;

/** Names of loops. */
export const controllerNames: readonly ControllerName[] = Object.keys(ON_BY_DEFAULT) as ControllerName[];

/**
 * Whether a loop is among the chosen ones; of what is said of it the first counts.
 * @param wanted those that run by default because something else needs them
 */
export function isChosen(
  choices: readonly ControllerChoice[],
  name: ControllerName,
  wanted: readonly ControllerName[] = [],
): boolean {
  const said = choices.find((choice) => choice === name || choice === `-${name}`);
  if (said !== undefined) return said === name;
  return choices.includes('*') && (ON_BY_DEFAULT[name] || wanted.includes(name));
}

/** What they are called in full. */
const FULL_NAMES: ReadonlyMap<string, ControllerName> = new Map([
  ['namespace-controller', 'namespace'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  ['certificatesigningrequest-signing-controller', 'csrsigning'],
  ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  ['token-cleaner-controller', 'tokencleaner'],
  ['bootstrap-signer-controller', 'bootstrapsigner'],
  ['serviceaccount-controller', 'serviceaccount'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
]);

/** Reads a choice; names may be those in full. @throws Error for what is no choice */
export function parseControllerChoice(text: string): ControllerChoice {
  if (text === '*') return text;
  const [, hyphen, given = ''] = /^(-?)(.*)$/.exec(text) ?? [];
  const name = FULL_NAMES.get(given) ?? controllerNames.find((known) => known === given);
  if (name) return hyphen ? `-${name}` : name;
  throw new Error(`there is no controller ${given}; there are ${controllerNames.join(', ')}`);
}
