import {
  type ControllerChoice,
  controllerNames,
  parseControllerChoice,
} from '../../assembly/controller-selection.ts';
import { CONTROLLERS } from './flag-groups.ts';
import { duration, grown, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Which loops run, and with what the one that signs certificates does so. Times are in milliseconds. */
export interface ControllerFlags {
  readonly controllers?: readonly ControllerChoice[];
  readonly 'root-ca-file'?: string;
  readonly 'cluster-signing-cert-file'?: string;
  readonly 'cluster-signing-key-file'?: string;
  readonly 'cluster-signing-duration'?: number;
}

const controllers: Flag<readonly ControllerChoice[]> = {
  group: CONTROLLERS,
  value: 'LIST',
  meaning: `loops that run, of ${controllerNames.join(', ')}; * is those on by default, -NAME is not that one (default *)`,
  parse: (given) => given.split(',').map(parseControllerChoice),
  join: grown,
};

export const controllerFlags: FlagTableOf<ControllerFlags> = {
  controllers,
  'root-ca-file': text(
    CONTROLLERS,
    'FILE',
    "authority of the server's certificate, which every namespace is told, PEM",
  ),
  'cluster-signing-cert-file': text(
    CONTROLLERS,
    'FILE',
    'certificate of the authority that signs what is approved of requests of certificates, PEM',
  ),
  'cluster-signing-key-file': text(CONTROLLERS, 'FILE', 'its key, PEM'),
  'cluster-signing-duration': duration(
    CONTROLLERS,
    'how long certificates are valid at most, and where nothing is asked for (default 8760h)',
  ),
};
