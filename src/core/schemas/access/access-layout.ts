import * as z from 'zod';
import { AccessConfig } from './access-config.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * Also reads `site/access.json` in the layout of other servers: `externalOauth` inside `accessControl`, `accessKeys` inside
 * `mcpServer`, key sets as text. Other keys there stay, and are reported as unknown.
 */
export const ReadAccessConfig = z.preprocess((read, context) => {
  if (!isPart(read)) {
    return read;
  }

  const { accessControl, mcpServer, ...rest } = read;

  if (
    isPart(mcpServer) &&
    ['externalOauth', 'issuers'].some((key) => Object.hasOwn(mcpServer, key))
  ) {
    context.addIssue({
      code: 'custom',
      path: ['mcpServer'],
      message:
        'expected no issuers here; they belong in externalOauth, at the top or in accessControl',
      params: { got: Object.keys(mcpServer).join(', ') },
    });
  }

  const config = {
    ...rest,
    ...movedUp(accessControl, 'accessControl', 'externalOauth', rest),
    ...movedUp(mcpServer, 'mcpServer', 'accessKeys', rest),
  } as Part;

  const { externalOauth } = config;
  if (!isPart(externalOauth) || !Array.isArray(externalOauth['issuers'])) {
    return config;
  }

  const issuers = externalOauth['issuers'].map((issuer: unknown) =>
    isPart(issuer) && typeof issuer['jwkSet'] === 'string'
      ? { ...issuer, jwkSet: parsed(issuer['jwkSet']) }
      : issuer,
  );

  return { ...config, externalOauth: { ...externalOauth, issuers } };
}, AccessConfig);

function movedUp(layer: unknown, name: string, key: string, part: Part): Part {
  if (layer === undefined) {
    return {};
  }

  const isAlone = isPart(layer) && Object.keys(layer).every((other) => other === key);

  return isAlone && !Object.hasOwn(part, key) ? layer : { [name]: layer };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
