// How many documents `ashlar check-manifests` checks a second: `npx tsx --conditions=@ashlar/source bench/command/check-manifests.ts [DIR…]`.
// Without folders, it checks made-up manifests of the usual sizes, of which every tenth is of a withdrawn version; with folders, the manifests
// below them, counts what it finds, and says which made it fail. Nothing is written.
import { kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { checkText } from '../../packages/server/src/command/tools/manifests/check-document.ts';
import { documentTexts } from '../../packages/server/src/command/tools/manifests/document-text.ts';
import { readManifestFiles } from '../../packages/server/src/command/tools/manifests/manifest-files.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const TARGET = process.env.TARGET ?? '1.32';
const COUNT = 2_000;

const deployment = (index: number, apiVersion: string): string => `apiVersion: ${apiVersion}
kind: Deployment
metadata:
  name: shop-${index}
  labels: {app: shop, tier: web}
spec:
  replicas: ${index % 5}
  selector:
    matchLabels: {app: shop-${index}}
  template:
    metadata:
      labels: {app: shop-${index}}
    spec:
      containers:
        - name: web
          image: registry.example.com/shop:1.${index}
          ports:
            - containerPort: 8080
          env:
            - name: LEVEL
              value: "info" # as in production
          resources:
            limits: {cpu: 500m, memory: 256Mi}
`;
const service = (index: number): string => `apiVersion: v1
kind: Service
metadata:
  name: shop-${index}
spec:
  selector: {app: shop-${index}}
  ports:
    - port: 80
      targetPort: 8080
`;
const ingress = (index: number): string => `apiVersion: extensions/v1beta1
kind: Ingress
metadata:
  name: shop-${index}
spec:
  rules:
    - host: shop-${index}.example.com
      http:
        paths:
          - path: /
            backend:
              serviceName: shop-${index}
              servicePort: 80
`;

const manifests = (): readonly string[] =>
  Array.from({ length: COUNT }, (_, index) =>
    index % 10 === 0
      ? index % 20 === 0
        ? ingress(index)
        : deployment(index, 'extensions/v1beta1')
      : index % 2 === 0
        ? deployment(index, 'apps/v1')
        : service(index),
  );

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsBelow(folders: readonly string[]): readonly Text[] {
  if (folders.length === 0) return [{ path: 'made up', text: manifests().join('---\n') }];
  return [...readManifestFiles(folders)].flatMap(({ path, text }) =>
    text === undefined ? [] : [{ path, text }],
  );
}

/** Checks all texts; returns findings by what they say, and the errors thrown. */
function checkAll(texts: readonly Text[], fix: boolean) {
  const findings = new Map<string, number>();
  const failures: string[] = [];
  for (const { path, text } of texts)
    try {
      for (const { severity, details, fixed } of checkText(text, { target: TARGET, fix, vocabulary })
        .findings) {
        const type = details ? `${details.finding} ${details.apiVersion} ${details.kind}` : severity;
        const said = fixed ? `${type} (fixed)` : type;
        findings.set(said, (findings.get(said) ?? 0) + 1);
      }
    } catch (error) {
      failures.push(`${path}: ${(error as Error).stack}`);
    }
  return { findings, failures };
}

const texts = textsBelow(process.argv.slice(2));
const documents = texts.reduce((sum, { text }) => sum + documentTexts(text).length, 0);
const bytes = texts.reduce((sum, { text }) => sum + text.length, 0);
console.log(`${texts.length} files, ${documents} documents, ${(bytes / 1_048_576).toFixed(1)} MiB`);
for (const fix of [false, true]) {
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    checkAll(texts, fix);
    const { user, system } = process.cpuUsage(before);
    speeds.push((documents * 1e6) / (user + system));
  }
  const median = speeds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  console.log(`${fix ? 'checked and fixed' : 'checked'}: ${Math.round(median)} documents per CPU-second`);
}
const { findings, failures } = checkAll(texts, true);
for (const [said, count] of [...findings].sort((a, b) => b[1] - a[1]))
  console.log(`${String(count).padStart(6)} ${said}`);
for (const failure of failures) console.log(`failed: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
