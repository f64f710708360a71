import * as z from 'zod';
import { isObject } from '../../model/objects.ts';
import { AccessConfig } from './access-config.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * Also reads `site/access.json` in the layout of other servers: `externalOauth` inside `accessControl`, `accessKeys` inside
 * `mcpServer`, key sets as text. Other keys there stay, and are reported as unknown.
 */
export const ReadAccessConfig = z.preprocess((input, context) => {
  if (!isObject(input)) {
    return input;
  }

  const { mcpServer } = input;
  if (isObject(mcpServer) && ('externalOauth' in mcpServer || 'issuers' in mcpServer)) {
    context.addIssue({
      code: 'custom',
      path: ['mcpServer'],
      message:
        'expected no issuers here; they belong in externalOauth, at the top or in accessControl',
      params: { got: Object.keys(mcpServer).join(', ') },
    });
  }

  const config = liftKey(
    liftKey(input, 'accessControl', 'externalOauth'),
    'mcpServer',
    'accessKeys',
  );
  const { externalOauth } = config;
  if (!isObject(externalOauth) || !Array.isArray(externalOauth['issuers'])) {
    return config;
  }

  const issuers = externalOauth['issuers'].map(parseKeySet);
  return { ...config, externalOauth: { ...externalOauth, issuers } };
}, AccessConfig);

/** Replaces a layer by its only key, unless the top has the key, too. */
function liftKey(config: Part, name: string, key: string): Part {
  const { [name]: layer, ...topLevel } = config;
  const hasOnlyKey = isObject(layer) && Object.keys(layer).every((layerKey) => layerKey === key);
  return hasOnlyKey && !Object.hasOwn(topLevel, key) ? { ...topLevel, ...layer } : config;
}

/** A key set as text that is no JSON stays, and is reported as no key set. */
function parseKeySet(issuer: unknown): unknown {
  if (!isObject(issuer) || typeof issuer['jwkSet'] !== 'string') {
    return issuer;
  }

  try {
    return { ...issuer, jwkSet: JSON.parse(issuer['jwkSet']) };
  } catch {
    return issuer;
  }
}
