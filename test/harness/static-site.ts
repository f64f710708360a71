import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { answer, startUpstream } from './upstream.ts';

/** A built site below a path, as any host serves it, until the test is done. Returns its address. */
export async function startSite(
  folder: string,
  {
    isDown = () => false,
    waitFor,
  }: {
    isDown?(path: string, count: number): boolean;
    /** Resolves when a path may be answered. */
    waitFor?(path: string): Promise<void> | undefined;
  } = {},
): Promise<string> {
  const counts = new Map<string, number>();
  const upstream = await startUpstream(() => async ({ url = '' }, response) => {
    await waitFor?.(url);
    const count = (counts.get(url) ?? 0) + 1;
    counts.set(url, count);
    if (isDown(url, count)) {
      return answer(response, 503, 'text/plain', 'later');
    }
    const file = join(folder, url.replace(/^\/index/, ''));
    if (!existsSync(file)) {
      return answer(response, 404, 'application/problem+json', '{"status": 404}');
    }
    answer(
      response,
      200,
      url.endsWith('.json') ? 'application/json' : 'text/plain',
      readFileSync(file),
    );
  });
  onTestFinished(() => upstream.close());
  return `${upstream.url}index`;
}
