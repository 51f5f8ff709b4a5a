import { type FieldError, FieldErrors, goStringList, PrintedValue, type Vocabulary } from '@ashlar/core';
import { hasCapital, parseEncryptedResource } from './encrypted-resource.ts';

/** Resources whose stored values no API serves. */
const WITHOUT_API: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

/** Returns the errors of the resources of one entry: those of the list first. */
export function validateEncryptedResources(
  resources: readonly string[],
  field: string,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  return [
    ...validateOverlap(resources, field),
    ...resources.flatMap((resource, index) => {
      const why = nameError(resource, vocabulary);
      return why === undefined ? [] : [FieldErrors.invalid(`${field}[${index}]`, resource, why)];
    }),
  ];
}

function nameError(name: string, { groupDomain }: Vocabulary): string | undefined {
  if (hasCapital(name)) return 'resource name should not contain capital letters';
  if (name === '*')
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (WITHOUT_API.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseEncryptedResource(name);
  const events = `events.${groupDomain}`;
  if (group === events)
    return `'*.${events}' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`;
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

function validateOverlap(resources: readonly string[], field: string): readonly FieldError[] {
  const printed = new PrintedValue(goStringList(resources));
  const { hasDuplicate, hasOverlap } = overlapOf(resources);
  return [
    ...(hasDuplicate
      ? [FieldErrors.invalid(field, printed, 'the same resource cannot be specified multiple times')]
      : []),
    ...(hasOverlap
      ? [
          FieldErrors.invalid(
            field,
            printed,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

/** How often a list names each group and each resource. */
function overlapOf(names: readonly string[]): { hasDuplicate: boolean; hasOverlap: boolean } {
  const resources = names.map(parseEncryptedResource);
  const byGroup = new Map<string, number>();
  for (const { group } of resources) byGroup.set(group, (byGroup.get(group) ?? 0) + 1);
  const distinct = new Set(resources.map(({ group, resource }) => `${resource}.${group}`));
  const hasOverlap = resources.some(
    ({ group, resource }) =>
      resource === '*' && (group === '*' ? names.length > 1 : (byGroup.get(group) as number) > 1),
  );
  return { hasDuplicate: distinct.size < names.length, hasOverlap };
}
