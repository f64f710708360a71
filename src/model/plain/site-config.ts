import { datasourceForm, maxima, maxLengths, publicKeyForm } from '../forms.ts';
import { isSiteUrl } from '../safe-url.ts';
import type { SiteConfig } from '../site-config.ts';
import { httpsUrl, integerUpTo, line, lineUpTo, oneOf, record, schemaReference, text } from './rules.ts';

export const isPlainSiteConfig = record<SiteConfig>(
  ['title', 'description', 'datasource', 'releasesUrl', 'repositoryUrl', 'staleAfterDays'],
  {
    $schema: schemaReference,
    title: lineUpTo(maxLengths.siteTitle),
    description: line,
    datasource: text((name) => datasourceForm.test(name)),
    releasesUrl: text((url) => isSiteUrl(url) && !url.endsWith('/')),
    repositoryUrl: httpsUrl,
    staleAfterDays: integerUpTo(maxima.staleAfterDays),
    signingPublicKey: text((key) => publicKeyForm.test(key)),
    hosting: record<NonNullable<SiteConfig['hosting']>>(['plan'], { plan: oneOf('free', 'paid') }),
  },
);
