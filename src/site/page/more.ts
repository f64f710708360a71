// Loaded with the first question that is not just a name and a version, with the first bill of materials, and with the first
// line of a list that names nothing exactly, as `assets/more.js`.

export { askAnything, searchSmallSite } from './ask-anything.ts';
export { readBill } from '../../ask/texts/bill-of-materials.ts';
export { readMeant } from '../../ask/texts/guess-names.ts';
