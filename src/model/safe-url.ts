import { maxLengths } from './forms.ts';

export const httpsForm = /^https:\/\/[^\s<>"'\\]+$/;
export const upstreamForm = /^https?:\/\/[^\s<>"'\\]+$/;

/** A host of plain words, no credentials, no port, nothing escaped: addresses that every URL parser takes. */
const plainForm = /^https:\/\/(?:[a-z][a-z0-9]*\.)+[a-z]{2,}(?:\/[\w./#?=&,~@{}-]*)?$/;

/** An `https:` address without credentials. Only these are published. */
export function isHttpsUrl(text: string): boolean {
  if (text.length > maxLengths.url) return false;
  // Parsing is what takes long.
  return plainForm.test(text) || (httpsForm.test(text) && isWithoutCredentials(text));
}

/** Where upstream may be asked: `https:`, or plain `http:` on loopback, and never with credentials. */
export function isUpstreamUrl(text: string): boolean {
  return (
    isHttpsUrl(text) || (text.length <= maxLengths.url && upstreamForm.test(text) && isSafeUpstream(text))
  );
}

/** Where a site may be published: to paths, and in templates of Renovate's, the other characters would mean something. */
export function isSiteUrl(text: string): boolean {
  return isUpstreamUrl(text) && isPlaceForPaths(text);
}

export function isSafeUpstream(text: string): boolean {
  return isWithoutCredentials(text) && (text.startsWith('https:') || isLoopback(text));
}

export function isPlaceForPaths(text: string): boolean {
  return !/[?#{}]/.test(text);
}

export function isWithoutCredentials(text: string): boolean {
  // Half of a surrogate pair has no place in an address, nor in a file.
  if (!URL.canParse(text) || /[\p{Cc}\p{Cs}]/u.test(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.hostname !== '';
}

function isLoopback(text: string): boolean {
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
