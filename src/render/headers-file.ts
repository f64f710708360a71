import { everywhere, kinds } from './headers.ts';

/**
 * `_headers`, as Cloudflare's static assets read it (developers.cloudflare.com/workers/static-assets/headers): two rules
 * that set the same header for a path would be joined with a comma, so that each header has one rule.
 */
export function renderHeadersFile(): string {
  const rules = [everywhere, ...kinds].map(({ pattern, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${pattern}\n${lines.join('')}`;
  });
  return rules.join('\n');
}
