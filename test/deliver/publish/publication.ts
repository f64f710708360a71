import { startCloudflare } from '../../harness/cloudflare.ts';
import { addComponent, createRoot } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { run } from '../../harness/run.ts';

export const today = '2026-11-20';

export type TestPublication = Awaited<ReturnType<typeof openPublication>>;

/** A root with two components, to be published at an imitation of the host. */
export async function openPublication() {
  const cloudflare = await startCloudflare();
  const root = createRoot({ releasesUrl: cloudflare.siteUrl });
  const verb = (name: string, args: string[], env: Record<string, string> = {}) =>
    run([name, '--root', root.dir, '--as-of', today, ...args], env);
  const publication = {
    cloudflare,
    root,
    /** Records these releases of a component, and no others. */
    record: (component: string, ...versions: string[]) =>
      addComponent(root, component, releases(...versions)),
    build: (...args: string[]) => verb('build', args),
    publish: (...args: string[]) => verb('publish', args, cloudflare.credentials),
    publishWith: (env: Record<string, string>, ...args: string[]) =>
      verb('publish', args, { ...cloudflare.credentials, ...env }),
    /** Makes an access key. */
    key: async (...args: string[]) =>
      (
        await runHere(['key', 'new', '--root', root.dir, '--as-of', today, ...args], {})
      ).stdout.trim(),
    /** A file as it is served now. */
    live: async (path: string) => (await fetch(`${cloudflare.siteUrl}/${path}`)).text(),
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
