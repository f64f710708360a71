/** The last part of the name of a package; of a scoped one the whole. */
export function deriveComponentName(packageName: string): string {
  const parts = packageName.replace(/(?:\.git|\.\w{2,4})?\/?$/, '').split(/[/:]/);
  const part = packageName.startsWith('@')
    ? packageName
    : parts.findLast((each, index) => index === 0 || !/^v\d+$/.test(each));
  return (part ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
