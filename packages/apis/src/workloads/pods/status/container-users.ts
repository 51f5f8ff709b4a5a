import type { FieldError, Steps } from '@ashlar/core';
import type { ContainerStatus, ContainerUser, PodSpec, PodStatus } from '../../core/pod-types.ts';
import { each, eachSteps, forbiddenWhen, NO_ERRORS } from '../../field-rules.ts';
import { identityErrors } from '../security-context.ts';

const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** Errors of the users of which containers run. The path leaves out `user`, as in release 1.32. It pauses: they may be many. */
export function* containerUsersErrorsSteps(status: PodStatus, { os }: PodSpec): Steps<readonly FieldError[]> {
  const isWindows = os?.name === 'windows';
  const errors: FieldError[] = [];
  for (const list of LISTS) {
    const check = ({ user }: ContainerStatus, at: string): readonly FieldError[] =>
      isWindows
        ? forbiddenWhen(user?.linux !== undefined, `${at}.linux`, 'cannot be set for a windows pod')
        : userErrors(user, `${at}.linux`);
    errors.push(...(yield* eachSteps(`status.${list}`, status[list], check)));
  }
  return errors;
}

function userErrors({ linux }: ContainerUser = {}, at: string): readonly FieldError[] {
  if (!linux) return NO_ERRORS;
  return [
    ...identityErrors(`${at}.uid`, linux.uid),
    ...identityErrors(`${at}.gid`, linux.gid),
    ...each(`${at}.supplementalGroups`, linux.supplementalGroups, (group, path) =>
      identityErrors(path, group),
    ),
  ];
}
