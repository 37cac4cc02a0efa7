import { faker as en } from '@faker-js/faker/locale/en';
import { faker as de } from '@faker-js/faker/locale/de';
import { faker as fr } from '@faker-js/faker/locale/fr';
import { faker as es } from '@faker-js/faker/locale/es';
import { faker as sv } from '@faker-js/faker/locale/sv';
import { faker as nl } from '@faker-js/faker/locale/nl';
import type { Language } from './places';

/** A name and the forms it takes in addresses. */
export interface Name {
	text: string;
	/** Lower case ASCII with hyphens, for email addresses and most profile URLs. */
	ascii: string;
	/** Lower case in its own letters, for profile URLs that are percent-encoded. */
	own: string;
	/** `own`, percent-encoded. */
	encoded: string;
}

/** First and last names of one language. */
export interface NamePool {
	first: readonly Name[];
	last: readonly Name[];
}

const icelandicFirst =
	'Jón Guðrún Sigurður Anna Guðmundur Kristín Gunnar Sigríður Ólafur Margrét Einar Helga Þór Ásta Björn Hulda';
const icelandicLast =
	'Jónsdóttir Guðmundsson Sigurðardóttir Gunnarsson Ólafsdóttir Einarsson Magnúsdóttir Kristjánsson Björnsdóttir Þórsson Stefánsdóttir Árnason';

/** Letters that Unicode doesn't take apart into a base letter and an accent. */
const foldings: Readonly<Record<string, string>> = {
	ð: 'd',
	þ: 'th',
	ø: 'o',
	æ: 'ae',
	œ: 'oe',
	ß: 'ss',
	ł: 'l',
};

/** Lower case ASCII, words joined by hyphens. */
export function asciiSlug(text: string): string {
	return hyphened(
		text
			.toLowerCase()
			.replace(/[ðþøæœßł]/g, (letter) => foldings[letter] ?? '')
			.normalize('NFD')
			.replace(/[^a-z0-9 -]/g, ''),
	);
}

function hyphened(text: string): string {
	return text.trim().replace(/[ -]+/g, '-').replace(/^-|-$/g, '');
}

function nameOf(text: string): Name {
	const own = hyphened(
		text
			.toLowerCase()
			.normalize('NFC')
			.replace(/[^\p{L}\p{N} -]/gu, ''),
	);
	return { text, ascii: asciiSlug(text), own, encoded: encodeURIComponent(own) };
}

/** As many different names as the generator yields in a bounded number of tries. */
function draw(make: () => string, wanted: number): Name[] {
	const drawn = new Set<string>();
	for (let tries = 0; drawn.size < wanted && tries < wanted * 20; tries++) drawn.add(make());
	return [...drawn].map(nameOf);
}

/** Names of every language, the same for the same seed. */
export function namePools(seed: number): Record<Language, NamePool> {
	const drawn = (faker: typeof en): NamePool => {
		faker.seed(seed);
		return {
			first: draw(() => faker.person.firstName(), 160),
			last: draw(() => faker.person.lastName(), 240),
		};
	};
	return {
		en: drawn(en),
		de: drawn(de),
		fr: drawn(fr),
		es: drawn(es),
		sv: drawn(sv),
		nl: drawn(nl),
		is: {
			first: icelandicFirst.split(' ').map(nameOf),
			last: icelandicLast.split(' ').map(nameOf),
		},
	};
}
