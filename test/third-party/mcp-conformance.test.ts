import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/root.ts';
import { runProgram } from '../harness/run.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { conformance } from './install.ts';

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex());
});

afterAll(() => site.close());

/** The scenarios, or checks of one, that need more than tools or tools of the suite. */
const exceptions = `
  # There are no prompts, resources or completions.
  completion-complete
  prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image prompts-list
  resources-list resources-read-binary resources-read-text resources-templates-read
  # They call tools that only a server made for the suite has.
  json-schema-2020-12
  tools-call-audio tools-call-embedded-resource tools-call-error tools-call-image tools-call-mixed-content
  tools-call-simple-text tools-call-with-progress
`;

const exceptionsOf: Readonly<Record<string, string>> = {
  '2026-07-28': `${exceptions}
    # There are no prompts or resources whose lists could be cached.
    caching:sep-2549-prompts-list-caching-hints
    caching:sep-2549-resources-list-caching-hints
    caching:sep-2549-resources-templates-list-caching-hints
    # Methods of resources do not exist.
    sep-2164-resource-not-found:sep-2164-error-code
    sep-2164-resource-not-found:sep-2164-data-uri
    # No tool asks the client anything, logs, or takes a parameter from a header.
    http-custom-header-server-validation
    input-required-result-basic-elicitation
    input-required-result-basic-list-roots
    input-required-result-basic-sampling
    input-required-result-capability-check
    input-required-result-ignore-extra-params
    input-required-result-missing-input-response
    input-required-result-multi-round
    input-required-result-multiple-input-requests
    input-required-result-non-tool-request
    input-required-result-request-state
    input-required-result-result-type
    input-required-result-tampered-state
    server-stateless:sep-2575-server-rejects-undeclared-capability
    server-stateless:sep-2575-missing-capability-http-400
    server-stateless:sep-2575-http-server-no-independent-requests-on-stream
    server-stateless:sep-2575-server-no-log-without-loglevel
  `,
  '2025-11-25': `${exceptions}
    # No tool asks the client anything or logs, and there are no subscriptions.
    elicitation-sep1034-defaults elicitation-sep1330-enums
    logging-set-level resources-subscribe resources-unsubscribe
    tools-call-elicitation tools-call-sampling tools-call-with-logging
    # There are no sessions to resume.
    server-sse-multiple-streams server-sse-polling
  `,
};

// The suite ends with 1 for a failure that is not in the list, and for a listed failure that passes.
test.each(Object.keys(exceptionsOf))(
  'the suite of the protocol accepts the server in its revision %s',
  async (revision) => {
    const folder = temporaryFolder();
    const baseline = join(folder, 'baseline.yml');
    const entries = exceptionsOf[revision]!.replaceAll(/#.*/g, '').match(/\S+/g)!;
    writeFileSync(baseline, `server:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`);

    const what = ['--suite', 'all', '--spec-version', revision, '--expected-failures', baseline];
    const program = join(conformance.dir, 'dist/index.js');
    const args = ['server', '--url', `${site.url}mcp`, ...what, '-o', folder];
    const { status, stdout, stderr } = await runProgram(process.execPath, [program, ...args]);

    expect(status, `${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`).toBe(0);
    expect(stdout).toContain('✓ tools-list');
  },
);
