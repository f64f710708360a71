import * as z from 'zod';
import { createLineSchema, OneLine } from '../scalars.ts';
import { documented, createSchemaKey, optionalKey } from '../keys.ts';
import { HttpsUrl, SiteUrl, UpstreamUrl } from '../urls.ts';
import { SigningPublicKey } from '../signing-public-key.ts';
import { SupportPolicy } from './support-policy.ts';

const FooterLink = z.strictObject({
  text: documented(createLineSchema(60), 'The text of the link.', 'Imprint'),
  url: documented(HttpsUrl, 'Its target: an https: address.', 'https://example.com/imprint'),
});

const Footer = z.strictObject({
  text: optionalKey(
    OneLine,
    'A sentence at the foot of each page.',
    'Kept by the build team; ask in #builds.',
  ),
  links: optionalKey(
    z.array(FooterLink).min(1).max(10),
    'Links at the foot of each page, at most ten.',
    [{ text: 'Imprint', url: 'https://example.com/imprint' }],
  ),
});

const ComponentAddress = HttpsUrl.refine((url) => !/[{}]/.test(url.replaceAll('{component}', '')), {
  error: 'expected no placeholder but {component}',
});

const Defaults = z.strictObject({
  homepage: optionalKey(
    ComponentAddress,
    'The documentation of a component; {component} is its name.',
    'https://docs.example.com/{component}/',
  ),
  changelogUrl: optionalKey(
    ComponentAddress,
    'The release history of a component; {component} is its name.',
    'https://git.example.com/{component}/-/releases',
  ),
  support: optionalKey(
    SupportPolicy.refine(
      ({ policy, lines }) =>
        ['none', 'term', 'latest-lines'].includes(policy) && lines === undefined,
      { error: 'expected none, term or latest-lines, without days of single lines' },
    ),
    'How long releases are supported: none, term or latest-lines. A definition may state another policy, or none.',
    { policy: 'latest-lines', count: 3 },
  ),
});

export const Host = z.enum(['cloudflare', 'pages', 'files']);
export type Host = z.infer<typeof Host>;

const HostPlan = z.strictObject({
  plan: documented(
    z.enum(['free', 'paid']),
    'The plan of the account at Cloudflare: 20,000 files on the free one, 100,000 on the paid one.',
    'free',
  ),
});

export const HostFolder = z.strictObject({
  folder: documented(
    createLineSchema(500).regex(/^(?:\/.|[A-Za-z]:[\\/])/, { error: 'expected an absolute path' }),
    'The folder that a server of your own serves; publications go there.',
    '/srv/releases',
  ),
});

/** `site/site.json`: the name, the address and the hosting of the site. */
export const SiteConfig = z.strictObject({
  $schema: createSchemaKey('schema/site.json'),
  title: documented(createLineSchema(100), 'The name of the index.', 'Release index'),
  description: documented(
    OneLine,
    'Its purpose, in a sentence.',
    'Every release of every component, and how long it is supported.',
  ),
  datasource: documented(
    z.string().regex(/^[a-z0-9-]+$/, { error: 'expected lower-case letters, digits and hyphens' }),
    "The name of Renovate's custom datasource in the published preset: with release-index, users write datasource=custom.release-index.",
    'release-index',
  ),
  releasesUrl: documented(
    SiteUrl.refine((url) => !url.endsWith('/'), { error: 'expected no slash at the end' }),
    'The address under which the site is published, without a slash at its end.',
    'https://releases.example.com',
  ),
  repositoryUrl: documented(
    HttpsUrl,
    'The address at which people report a wrong entry; the User-Agent of every request names it to upstreams.',
    'https://github.com/example/release-index',
  ),
  staleAfterDays: documented(
    z.int().min(1).max(365),
    'A component without a check for more than so many days is stale, and a source that fails for longer is an alert.',
    3,
  ),
  plainHttpHosts: optionalKey(
    z
      .array(
        z
          .string()
          .max(253)
          .regex(/^[a-z0-9.-]+$/, { error: 'expected the name of a host' }),
      )
      .min(1)
      .max(100),
    'Hosts of a network of your own that sources may name with plain http.',
    ['nexus.corp.example'],
  ),
  exploited: optionalKey(
    z.array(UpstreamUrl).max(10),
    "Catalogues of exploited vulnerabilities, such as CISA's KEV.",
    ['https://example.com/kev.json'],
  ),
  defaults: optionalKey(Defaults, 'Values for definitions that do not state them.', {
    changelogUrl: 'https://git.example.com/{component}/-/releases',
    support: { policy: 'term', months: 18 },
  }),
  signingPublicKey: optionalKey(
    SigningPublicKey,
    'The public half of the key that signs SHA256SUMS and the statements: the second line of a minisign .pub file. A site with a key is only published signed.',
    'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
  ),
  hosting: optionalKey(
    z.union([Host, HostPlan, HostFolder]),
    'The host of the site: cloudflare, whose Worker answers questions; pages (GitHub Pages) or files (any other server; or an object with its folder), which serve only files. Cloudflare where absent, or with a plan.',
    'pages',
  ),
  footer: optionalKey(Footer, 'Additions to the foot of each page.', {
    text: 'Kept by the build team; ask in #builds.',
  }),
});
export type SiteConfig = z.infer<typeof SiteConfig>;

export function findHost({ hosting }: Pick<SiteConfig, 'hosting'>): Host {
  if (typeof hosting === 'string') {
    return hosting;
  }

  return hosting && 'folder' in hosting ? 'files' : 'cloudflare';
}

export function findHostPlan({ hosting }: SiteConfig): 'free' | 'paid' {
  return typeof hosting === 'object' && 'plan' in hosting ? hosting.plan : 'free';
}

/** The folder of your own server that publications go to. */
export function findFolder({ hosting }: SiteConfig): string | undefined {
  return typeof hosting === 'object' && 'folder' in hosting ? hosting.folder : undefined;
}

/** `owner/name` of a repository at GitHub. */
export function findGithubRepository(repositoryUrl: string): string | undefined {
  return /^https:\/\/github\.com\/([\w-]+\/[\w.-]+?)(?:\.git)?\/?$/i.exec(repositoryUrl)?.[1];
}

/** The address of a new index until a person sets one: a name that never exists (RFC 2606). */
export function createPlaceholder(name: string): string {
  return `https://${name}.invalid`;
}

export function isPlaceholder(address: string): boolean {
  return new URL(address).hostname.endsWith('.invalid');
}

/** The keys that still have a placeholder, each with the remedy. */
export function listPlaceholders(config: SiteConfig): string[] {
  return (['releasesUrl', 'repositoryUrl'] as const)
    .filter((key) => isPlaceholder(config[key]))
    .map((key) => `${key}: ${config[key]} is a placeholder; replace it with the real address`);
}
