import { clientConfigurationFor } from '../certificates/client-configuration-for.ts';
import type { ServerIdentity } from './storage/server-identity.ts';

/** Returns a kubeconfig for the administrator of one server, as JSON, which is valid YAML. */
export function clientConfiguration(server: string, { certificateAuthority, token }: ServerIdentity): string {
  return clientConfigurationFor({ server, certificateAuthority, token });
}
