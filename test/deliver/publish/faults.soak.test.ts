import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Fault } from '../../harness/cloudflare.ts';
import { openPublication, type TestPublication } from './publication.ts';

// wrangler tries some calls again.
vi.setConfig({ testTimeout: 120_000 });

let publication: TestPublication;

beforeAll(async () => {
  publication = await openPublication();
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
  publication.record('svc', '2026.1', '2026.2', '2026.3');
  await publication.build();
});

afterEach(() => {
  publication.cloudflare.calls.length = 0;
});

afterAll(() => publication.close());

const scripts = '/workers/scripts/127-0-0-1';
const faults: Fault[] = [
  { at: 'GET /workers/services', kind: 'error' },
  { at: `POST ${scripts}/assets-upload-session`, kind: 'error' },
  { at: `POST ${scripts}/versions`, kind: 'error' },
  { at: `POST ${scripts}/versions`, kind: 'refuse' },
  { at: 'GET /workers/workers/', kind: 'error' },
  { at: `POST ${scripts}/subdomain`, kind: 'error' },
  { at: `GET ${scripts}/versions/`, kind: 'error' },
  { at: `POST ${scripts}/deployments`, kind: 'error' },
  { at: `POST ${scripts}/deployments`, kind: 'refuse' },
];

test.each(faults)(
  'a fault at $at ($kind) leaves the old version live and is reported',
  async (fault) => {
    const { cloudflare } = publication;
    const before = cloudflare.live;
    cloudflare.fault = fault;

    const result = await publication.publish();

    expect(cloudflare.calls.some((call) => call.startsWith(fault.at))).toBe(true);
    expect(result.status).toBe(1);
    expect(cloudflare.live).toBe(before);
    expect(result.stderr).toMatch(
      /error: publish: the host did not (?:accept the site: .+ The live site stays as it is|confirm the switch to version \S+: .+ The site has .+ Publish again)/,
    );
    expect(result.stderr + result.stdout).not.toContain(cloudflare.token);
  },
);

test('a Worker of the same name that serves something else is not replaced', async () => {
  const { cloudflare } = publication;
  cloudflare.answers.set('/status.json', { status: 404 });
  const before = cloudflare.live;

  const { status, stderr } = await publication.publish();
  cloudflare.answers.clear();

  expect(status).toBe(1);
  expect(stderr).toContain('a Worker of this name is there already and serves something else');
  expect(cloudflare.live).toBe(before);
});

test('publish reports an API that cannot be reached', async () => {
  const result = await publication.publishWith({
    CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
  });

  expect(result.status).toBe(1);
  expect(result.stderr).toContain(
    "error: publish: the host did not accept the site: the host's API cannot be reached. The live site stays as it is",
  );
});

test('publish reads the live site where the answer after the switch is lost', async () => {
  const { cloudflare } = publication;
  cloudflare.fault = { at: `POST ${scripts}/deployments`, kind: 'drop' };

  const result = await publication.publish();

  expect(await publication.live('latest/svc.txt')).toBe('2026.3\n');
  expect(result.status).toBe(0);
  expect(result.stdout).toContain('Published version');
});
