import { describe, expect, it } from 'vitest';
import { ask, json } from '../../harness/asking.ts';

const routes = (url: string) => ({ 'https://hub.docker.com/': url });

describe('docker, on Docker Hub', () => {
  it('finds official images in their own namespace', async () => {
    const { requests } = await ask(() => ({ datasource: 'docker', packageName: 'alpine' }), {
      routes,
      documents: {
        '/v2/repositories/library/alpine/tags?page_size=100': json({ results: [{ name: '3.20' }] }),
      },
    });

    expect(requests.map(({ path }) => path)).toEqual(['/v2/repositories/library/alpine/tags?page_size=100']);
  });

  it('dates a tag by its last push, and not by its last change', async () => {
    const { releases } = await ask(() => ({ datasource: 'docker', packageName: 'example/agent' }), {
      routes,
      documents: {
        '/v2/repositories/example/agent/tags?page_size=100': json({
          results: [
            {
              name: '1.0',
              tag_last_pushed: '2026-03-25T10:20:30.123456Z',
              last_updated: '2026-06-01T00:00:00Z',
            },
            { name: '0.9', tag_last_pushed: null, last_updated: '2026-06-01T00:00:00Z' },
          ],
        }),
      },
    });

    expect(releases).toEqual([
      { version: '1.0', releaseTimestamp: '2026-03-25T10:20:30.123456Z' },
      { version: '0.9' },
    ]);
  });
});
