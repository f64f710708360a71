import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/root.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { conformance } from './install.ts';

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex());
});

afterAll(() => site.close());

/** What the suite asks of servers that have more than tools, or tools of its own. Each is by itself: `scenario`, or `scenario:check`. */
interface Exception {
  reason: string;
  scenarios: readonly string[];
}

const exceptions: readonly Exception[] = [
  {
    reason: 'there are no prompts, resources or completions',
    scenarios: [
      'completion-complete',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
      'resources-list',
      'resources-read-binary',
      'resources-read-text',
      'resources-templates-read',
    ],
  },
  {
    reason: 'it calls tools that only a server made for the suite has',
    scenarios: [
      'json-schema-2020-12',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
    ],
  },
];

const exceptionsOf: Readonly<Record<string, readonly Exception[]>> = {
  '2026-07-28': [
    ...exceptions,
    {
      reason: 'there are no prompts or resources whose lists could be kept',
      scenarios: ['prompts-list', 'resources-list', 'resources-templates-list'].map(
        (list) => `caching:sep-2549-${list}-caching-hints`,
      ),
    },
    {
      reason:
        'what is not found is not resources, but all that has to do with them: they answer "Method not found"',
      scenarios: [
        'sep-2164-resource-not-found:sep-2164-error-code',
        'sep-2164-resource-not-found:sep-2164-data-uri',
      ],
    },
    {
      reason: 'no tool asks the client anything, logs, or takes a parameter from a header',
      scenarios: [
        'http-custom-header-server-validation',
        'input-required-result-basic-elicitation',
        'input-required-result-basic-list-roots',
        'input-required-result-basic-sampling',
        'input-required-result-capability-check',
        'input-required-result-ignore-extra-params',
        'input-required-result-missing-input-response',
        'input-required-result-multi-round',
        'input-required-result-multiple-input-requests',
        'input-required-result-non-tool-request',
        'input-required-result-request-state',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'server-stateless:sep-2575-missing-capability-http-400',
        'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
        'server-stateless:sep-2575-server-no-log-without-loglevel',
      ],
    },
  ],
  '2025-11-25': [
    ...exceptions,
    {
      reason: 'no tool asks the client anything or logs, and nothing can be subscribed to',
      scenarios: [
        'elicitation-sep1034-defaults',
        'elicitation-sep1330-enums',
        'logging-set-level',
        'resources-subscribe',
        'resources-unsubscribe',
        'tools-call-elicitation',
        'tools-call-sampling',
        'tools-call-with-logging',
      ],
    },
    {
      reason: 'there are no sessions to resume',
      scenarios: ['server-sse-multiple-streams', 'server-sse-polling'],
    },
  ],
};

// The suite ends with 1 for a failure that is not in the list, and for one in the list that is none any more.
test.each(Object.keys(exceptionsOf))(
  'the suite of the protocol is content in its revision %s',
  async (revision) => {
    const folder = temporaryFolder();
    const baseline = join(folder, 'baseline.yml');
    const entries = exceptionsOf[revision]!.flatMap(({ scenarios }) => scenarios);
    writeFileSync(baseline, `server:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`);

    const what = ['--suite', 'all', '--spec-version', revision, '--expected-failures', baseline];
    const child = spawn(
      process.execPath,
      [join(conformance.dir, 'dist/index.js'), 'server', '--url', `${site.url}mcp`, ...what, '-o', folder],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);

    expect(status, `${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`).toBe(0);
    expect(stdout).toContain('✓ tools-list');
  },
);
