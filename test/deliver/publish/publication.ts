import { startCloudflare, type Cloudflare } from '../../harness/cloudflare.ts';
import { addComponent, createRoot, type TestRoot } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { run, type Run } from '../../harness/run.ts';

export const today = '2026-11-20';

/** A root with two components, to be published at an imitation of the host. */
export interface TestPublication {
  cloudflare: Cloudflare;
  root: TestRoot;
  /** Records these releases of a component, and no others. */
  record(component: string, ...versions: string[]): void;
  build(...args: string[]): Promise<Run>;
  publish(...args: string[]): Promise<Run>;
  publishWith(env: Record<string, string>, ...args: string[]): Promise<Run>;
  /** Accepts the refusal that a run names. */
  accept(refused: Run): Promise<Run>;
  /** Makes an access key. */
  key(...args: string[]): Promise<string>;
  /** A file as it is served now. */
  live(path: string): Promise<string>;
  close(): Promise<void>;
}

export async function openPublication(): Promise<TestPublication> {
  const cloudflare = await startCloudflare();
  const root = createRoot({ releasesUrl: cloudflare.siteUrl });
  const verb = (name: string, args: string[], env: Record<string, string> = {}) =>
    run([name, '--root', root.dir, '--as-of', today, ...args], env);
  const publication: TestPublication = {
    cloudflare,
    root,
    record: (component, ...versions) => addComponent(root, component, releases(...versions)),
    build: (...args) => verb('build', args),
    publish: (...args) => verb('publish', args, cloudflare.credentials),
    publishWith: (env, ...args) => verb('publish', args, { ...cloudflare.credentials, ...env }),
    accept: ({ stderr }) => verb('accept', [/accept ([0-9a-f]{10})/.exec(stderr)![1]!]),
    key: async (...args) =>
      (await runHere(['key', 'new', '--root', root.dir, '--as-of', today, ...args], {})).stdout.trim(),
    live: async (path) => (await fetch(`${cloudflare.siteUrl}/${path}`)).text(),
    async close() {
      await cloudflare.close();
      root.remove();
    },
  };
  publication.record('svc', '2026.1', '2026.2');
  publication.record('edge-node', '1.0', '1.1');
  return publication;
}

/** A month apart. */
export function releases(...versions: string[]): { version: string; releaseTimestamp: string }[] {
  return versions.map((version, index) => ({ version, releaseTimestamp: `2026-0${index + 1}-01` }));
}
