import { expect, onTestFinished } from 'vitest';
import { startCli } from '../harness/cli.ts';
import { today } from '../harness/index-folder.ts';

/** The address of a preview of an index, which ends well with the test. */
export async function startPreview(root: string): Promise<string> {
  const preview = startCli(['preview', '--port', '0', '--root', root, '--as-of', today]);
  onTestFinished(async () => {
    preview.stop();
    expect(await preview.ended).toMatchObject({ status: 0 });
  });
  await expect.poll(preview.stdout, { timeout: 120_000 }).toContain('http://');
  return /http:\/\/[^/]+/.exec(preview.stdout())![0];
}
