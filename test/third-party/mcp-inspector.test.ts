import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test.each([
  ['HTTP', 'modern'],
  ['standard input and output', 'legacy'],
])(
  'the inspector finds nothing wrong with the tools over %s in the %s era, and calls one',
  async (door, era) => {
    const target = doors[door]!();
    const listed = await inspect(target, era, ['--method', 'tools/list', '--strict']);
    const call = ['--method', 'tools/call', '--tool-name', 'check_version'];
    const called = await inspect(target, era, [
      ...call,
      ...['--tool-arg', 'version=v2025.1', 'component=svc'],
    ]);

    expect(listed.status, listed.stderr).toBe(0);
    expect((JSON.parse(listed.stdout) as { tools: unknown[] }).tools).toHaveLength(11);
    expect(called.status, called.stderr).toBe(0);
    expect(JSON.parse(called.stdout)).toMatchObject({
      structuredContent: { version: '2025.1', isListed: true },
    });
  },
);
