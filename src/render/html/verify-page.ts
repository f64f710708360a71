import type { SiteContext } from '../site-context.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

/** `verify.html`: how to check that files are whole, and where they come from. */
export function renderVerifyPage(site: SiteContext, _sample?: string): string {
  const { baseUrl, config } = site;
  const key = config.signingPublicKey;
  return renderTemplate(site.theme, 'verify', {
    page: pageOf(site, {
      title: `Origin and integrity | ${config.title}`,
      heading: 'Origin and integrity',
      description: `How to check that files of ${config.title} are whole, and where they come from.`,
      path: 'verify.html',
    }),
    publicKey: key ?? '',
    oneFile: `curl -fO ${baseUrl}/SHA256SUMS &&
  curl -fO ${baseUrl}/all.json &&
  sha256sum --check --ignore-missing SHA256SUMS
`,
    mirror: `curl -fO ${baseUrl}/SHA256SUMS &&
  sha256sum --check --ignore-missing --quiet SHA256SUMS
`,
    signature:
      key === undefined
        ? ''
        : `curl -fO ${baseUrl}/SHA256SUMS &&
  curl -fO ${baseUrl}/SHA256SUMS.minisig &&
  minisign -V -m SHA256SUMS -P ${key}
`,
  });
}
