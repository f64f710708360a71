/** An answer as only who asked may keep it. One that nobody may keep stays so. */
export function asPrivate(answer: Response): Response {
  const response = new Response(answer.body, answer);
  const { headers } = response;
  const isSound = answer.ok || answer.status === 304;
  if (!headers.get('cache-control')?.includes('no-store'))
    headers.set('Cache-Control', isSound ? 'private, max-age=3600' : 'no-store');
  headers.append('Vary', 'Authorization');
  return response;
}
