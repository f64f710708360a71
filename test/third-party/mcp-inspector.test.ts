import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownProgram } from '../harness/cli.ts';
import { temporaryFolder } from '../harness/root.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { inspector } from './install.ts';

let site: ServedSite;
let out: string;

beforeAll(async () => {
  out = siteOfFixtureIndex();
  site = await serveSite(out);
});

afterAll(() => site.close());

const doors: Record<string, () => string[]> = {
  HTTP: () => [`${site.url}mcp`, '--transport', 'http'],
  'standard input and output': () => [process.execPath, ownProgram, 'mcp', out],
};

/** Writes to the home folder, so that it gets one of its own. */
function inspect(target: readonly string[], era: string, args: readonly string[]) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [
        join(inspector.dir, 'clients/launcher/build/index.js'),
        '--cli',
        ...target,
        '--protocol-era',
        era,
        ...args,
      ],
      { env: { PATH: process.env['PATH'], HOME: temporaryFolder() } },
      (error, stdout, stderr) => resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe.each(Object.keys(doors))('over %s', (door) => {
  describe.each(['legacy', 'modern'])('in the %s era', (era) => {
    test('the inspector finds nothing wrong with the tools', async () => {
      const { status, stdout, stderr } = await inspect(doors[door]!(), era, [
        '--method',
        'tools/list',
        '--strict',
      ]);

      expect(status, stderr).toBe(0);
      expect((JSON.parse(stdout) as { tools: unknown[] }).tools).toHaveLength(8);
    });

    test('it calls a tool, and sees where it did so wrongly', async () => {
      const call = [
        '--method',
        'tools/call',
        '--tool-name',
        'check_version',
        '--tool-arg',
        'version=v2025.1',
      ];
      const right = await inspect(doors[door]!(), era, [...call, 'component=svc']);
      const wrong = await inspect(doors[door]!(), era, [...call, 'component=nothing']);

      expect(right.status, right.stderr).toBe(0);
      expect(JSON.parse(right.stdout)).toMatchObject({
        structuredContent: { version: '2025.1', isListed: true },
      });
      expect(wrong.status).toBe(5);
      expect(wrong.stdout).toContain('There is no component \\"nothing\\"');
    });
  });
});
