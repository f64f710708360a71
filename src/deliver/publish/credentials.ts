import type { Credentials } from '../host/run-wrangler.ts';
import type { Env } from '../../core/env.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';

const needed = {
  CLOUDFLARE_API_TOKEN:
    'Make a token from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
  CLOUDFLARE_ACCOUNT_ID: 'It is shown on the right of the overview page of Workers: dash.cloudflare.com',
};

/** Names each one that is missing. */
export function readCredentials(env: Env): { credentials?: Credentials; findings: Finding[] } {
  const findings = Object.entries(needed)
    .filter(([name]) => !env[name]?.trim())
    .map(([name, remedy]) => problem(name, `is missing. ${remedy}`));
  if (findings.length > 0) return { findings };
  const apiBaseUrl = env['CLOUDFLARE_API_BASE_URL'];
  return {
    credentials: {
      apiToken: env['CLOUDFLARE_API_TOKEN']!.trim(),
      accountId: env['CLOUDFLARE_ACCOUNT_ID']!.trim(),
      ...(apiBaseUrl && { apiBaseUrl }),
    },
    findings,
  };
}
