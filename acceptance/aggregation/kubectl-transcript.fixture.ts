import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What everyday commands of kubectl are given. */
const FILES: Readonly<Record<string, string>> = {
  'new.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: { name: new, namespace: default, labels: { shelf: a } }
spec: { size: 3 }
`,
  'changed.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: { name: new, namespace: default, labels: { shelf: a } }
spec: { size: 7 }
`,
  'wrong.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: { name: wrong, namespace: default }
spec: { size: 0 }
`,
  'unknown.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: { name: unknown, namespace: default }
spec: { size: 1, colour: red }
`,
  'nowhere.yaml': `apiVersion: example.com/v1
kind: Widget
metadata: { name: new, namespace: nowhere }
spec: { size: 1 }
`,
  'list.yaml': `apiVersion: v1
kind: List
items:
  - { apiVersion: example.com/v1, kind: Widget, metadata: { name: x1, namespace: default, labels: { x: '1' } }, spec: { size: 1 } }
  - { apiVersion: example.com/v1, kind: Widget, metadata: { name: x2, namespace: default, labels: { x: '1' } }, spec: { size: 2 } }
`,
};
const EDITOR = `#!/bin/sh
sed -i 's/size: 1$/size: 11/' "$1"
`;

/** In this order, each over what those before it left. */
export const COMMANDS: readonly string[] = [
  'api-resources --api-group example.com',
  'explain widget.spec',
  'explain widget --recursive',
  'get widgets',
  'create -f new.yaml',
  'create -f new.yaml',
  'create -f wrong.yaml',
  'create -f unknown.yaml',
  'create -f nowhere.yaml',
  'get widgets',
  'get widgets -A -o wide',
  'get widget new -o yaml',
  'get widget new -o json',
  'get widget new -o jsonpath={.spec.size}',
  'get widgets --show-labels',
  'get widgets -l shelf=b',
  'get widgets --field-selector metadata.name=new -o name',
  'get widgets --field-selector spec.size=1',
  'describe widget new',
  'diff -f changed.yaml',
  'apply -f changed.yaml',
  'apply -f changed.yaml',
  'apply --server-side --field-manager anna -f changed.yaml',
  'apply --server-side --field-manager ben -f new.yaml',
  'apply --server-side --field-manager ben --force-conflicts -f new.yaml',
  'apply --dry-run=server -f changed.yaml',
  'wait --for=jsonpath={.spec.size}=3 widget/new --timeout=10s',
  'wait --for=delete widget/new --timeout=1s',
  'patch widget new --type merge -p {"spec":{"size":4}}',
  'patch widget new --type json -p [{"op":"replace","path":"/spec/size","value":5}]',
  'patch widget new --type json -p [{"op":"replace","path":"/spec/none","value":5}]',
  'patch widget new -p {"spec":{"size":6}}',
  'patch widget new --type merge -p {"spec":{"size":0}}',
  'label widget new shelf=b --overwrite',
  'annotate widget new note=x',
  'replace -f new.yaml',
  'scale widget new --replicas 2',
  'apply -f list.yaml',
  'edit widget x1',
  'get widgets --sort-by=.spec.size',
  'get widgets --chunk-size=1 -o name',
  'auth can-i delete widgets',
  'auth can-i delete widgets --as nobody',
  'get widgets --as nobody',
  'delete widget new --dry-run=server',
  'delete -f new.yaml',
  'get widget new',
  'delete widgets -l x=1',
  'get --raw /apis/example.com/v1',
  'get --raw /apis/example.com/v1/namespaces/default/widgets/none',
  'get gadgets',
];

/** Waits until a cluster describes the types of a server that has just been registered. */
export async function described(kubeconfig: string, folder: string): Promise<void> {
  while (!(await run('explain widget', kubeconfig, folder)).endsWith('= 0\n')) {}
}

/** Runs all commands, and returns what each prints, without what differs from run to run. */
export async function transcript(kubeconfig: string, folder: string): Promise<readonly string[]> {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'editor'), EDITOR, { mode: 0o755 });
  const printed: string[] = [];
  for (const command of COMMANDS) {
    const output = await run(command, kubeconfig, folder);
    printed.push(`$ kubectl ${command}\n${withoutVariety(output)}`);
  }
  return printed;
}

/** What a command prints, errors included, and its exit status. */
function run(command: string, kubeconfig: string, folder: string): Promise<string> {
  const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig, EDITOR: join(folder, 'editor') };
  const child = spawn('kubectl', command.split(' '), { cwd: folder, env });
  let output = '';
  const add = (bytes: Uint8Array): void => {
    output += Buffer.from(bytes).toString();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return new Promise((resolve) => child.on('close', (code) => resolve(`${output}= ${code}\n`)));
}

function withoutVariety(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000|Z)?/g, 'TIME')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/(resourceVersion:? ?"?:? ?"?|Resource Version: +)\d+/gi, '$1N')
    .replace(/^((?:NAME|\w+) .*) \d+m?\d*s( .*)?$/gm, '$1 AGE$2')
    .replace(/\/tmp\/(LIVE|MERGED)-\d+\/\S+/g, '$1')
    .replace(/^[EWI]\d{4} [\d:.]+ +\d+ /gm, '');
}
