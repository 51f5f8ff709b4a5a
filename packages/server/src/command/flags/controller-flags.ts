import {
  type ControllerChoice,
  controllerNames,
  parseControllerChoice,
} from '../../assembly/controller-selection.ts';
import { CONTROLLERS } from './flag-groups.ts';
import { concatenated, duration, text } from './flag-kinds.ts';
import type { Flag, FlagTableOf } from './flags.ts';

/** Flags of controllers. Durations are in milliseconds. */
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
  meaning: `controllers to run, of ${controllerNames.join(', ')}; * enables those on by default, -NAME disables one, -* enables none, beside a controller manager that has them (default *)`,
  parse: (argument) => argument.split(',').map(parseControllerChoice),
  join: concatenated,
};

export const controllerFlags: FlagTableOf<ControllerFlags> = {
  controllers,
  'root-ca-file': text(
    CONTROLLERS,
    'FILE',
    "CA certificate of the server's certificate, published in every namespace, PEM",
  ),
  'cluster-signing-cert-file': text(
    CONTROLLERS,
    'FILE',
    'CA certificate that signs approved certificate signing requests, PEM',
  ),
  'cluster-signing-key-file': text(CONTROLLERS, 'FILE', 'private key of --cluster-signing-cert-file, PEM'),
  'cluster-signing-duration': duration(
    CONTROLLERS,
    'maximum and default validity duration of signed certificates (default 8760h)',
  ),
};
