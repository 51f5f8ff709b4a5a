import { goQuote, joinedTexts } from '@ashlar/core';
import { conditionOf, hasCondition, type Verdict, withCondition, withStatus } from './conditions.ts';
import type { CustomResourceDefinition, DefinitionNames } from './custom-resource-definition.ts';

/** Names of types of one group. */
export interface NamesInUse {
  readonly resources: Pick<ReadonlySet<string>, 'has'>;
  readonly kinds: Pick<ReadonlySet<string>, 'has'>;
}

/** The accepted names of a definition, as they are compared with those of others. */
export function acceptedNamesOf({
  status,
}: CustomResourceDefinition): Readonly<Record<keyof NamesInUse, readonly string[]>> {
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames;
  return { resources: [plural, singular, ...shortNames], kinds: [kind, listKind] };
}

/**
 * Returns the definition with its accepted names and their conditions; the same object if nothing changes
 * (semantics/lifecycle#definition-conditions).
 */
export function withAcceptedNames(
  definition: CustomResourceDefinition,
  inUse: NamesInUse,
  now: string,
): CustomResourceDefinition {
  const requested = definition.spec.names;
  const current = definition.status.acceptedNames;
  if (hasItsNames(definition)) return definition;
  const { names, verdict } = acceptNames(requested, current, inUse);
  if (sameNames(names, current) && hasCondition(definition, verdict)) return definition;
  const named = withCondition(withStatus(definition, { acceptedNames: names }), verdict, now);
  return withCondition(named, establishment(definition, verdict), now);
}

/** Returns the condition `Established` of a definition. */
function establishment(definition: CustomResourceDefinition, { status }: Verdict): Verdict {
  const old = conditionOf(definition, 'Established');
  if (old?.status !== 'True' && status === 'True')
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  const { reason = 'NotAccepted', message = 'not all names are accepted' } = old ?? {};
  return { type: 'Established', status: old?.status ?? 'False', reason, message };
}

interface NameDecision {
  readonly names: DefinitionNames;
  readonly verdict: Verdict;
}

/** Checks each name separately; the last conflict is reported. */
function acceptNames(
  requested: DefinitionNames,
  current: DefinitionNames,
  { resources, kinds }: NamesInUse,
): NameDecision {
  let verdict = accepted('True', 'NoConflicts', 'no conflicts found');
  const choose = <T>(reason: string, conflict: string | undefined, mine: T, old: T): T => {
    if (conflict === undefined) return mine;
    verdict = accepted('False', reason, conflict);
    return old;
  };
  const one = (reason: string, mine: string, old: string, used: NamesInUse['kinds']): string =>
    choose(reason, mine !== old && used.has(mine) ? inUseText(mine) : undefined, mine, old);
  const plural = one('PluralConflict', requested.plural, current.plural, resources);
  const singular = one('SingularConflict', requested.singular ?? '', current.singular ?? '', resources);
  const clashing = shortNameConflict(requested, current, resources);
  const shortNames = choose('ShortNamesConflict', clashing, requested.shortNames, current.shortNames);
  const kind = one('KindConflict', requested.kind, current.kind, kinds);
  const listKind = one('ListKindConflict', requested.listKind ?? '', current.listKind ?? '', kinds);
  const { categories } = requested;
  return {
    verdict,
    names: {
      plural,
      ...(singular !== '' && { singular }),
      ...(shortNames && shortNames.length > 0 && { shortNames }),
      kind,
      ...(listKind !== '' && { listKind }),
      ...(categories && categories.length > 0 && { categories }),
    },
  };
}

const accepted = (status: string, reason: string, message: string): Verdict => ({
  type: 'NamesAccepted',
  status,
  reason,
  message,
});

const inUseText = (name: string): string => `${goQuote(name)} is already in use`;

function shortNameConflict(
  { shortNames: requested = [] }: DefinitionNames,
  { shortNames: current = [] }: DefinitionNames,
  used: NamesInUse['kinds'],
): string | undefined {
  const own = new Set(current);
  const texts = requested.filter((name) => !own.has(name) && used.has(name)).map(inUseText);
  return texts.length === 0 ? undefined : joinedTexts(texts);
}

/** Whether all requested names of a definition were accepted. */
export function hasItsNames({ spec, status }: CustomResourceDefinition): boolean {
  return sameNames(spec.names, status.acceptedNames);
}

function sameNames(a: DefinitionNames, b: DefinitionNames): boolean {
  return namesText(a) === namesText(b);
}

const namesText = (names: DefinitionNames): string =>
  JSON.stringify([
    names.plural,
    names.singular ?? '',
    names.shortNames ?? [],
    names.kind,
    names.listKind ?? '',
    names.categories ?? [],
  ]);
