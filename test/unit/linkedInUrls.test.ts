/** Texts as people paste them and tools hand them over: whom they name, and what of them is refused. */
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';

const at = (path: string) => `https://www.linkedin.com/${path}`;
const [anna, bob] = [at('in/anna-bell'), at('in/bob-cole')];

/** Whom a value names, by the end of the URL, and what of it is refused. */
function read(value: unknown) {
	const { urls, invalid } = linkedinUrls.read(value, { get: () => undefined, has: () => false });
	const names = [...urls.keys()].map((url) => url.replace(at('in/'), ''));
	return { names, refused: invalid.map(({ entry, reason }) => [entry, reason]) };
}
const both = { names: ['anna-bell', 'bob-cole'], refused: [] };
const one = { names: ['anna-bell'], refused: [] };

describe('Two URLs are two profiles', () => {
	const separators = [
		...[' ', '\t', '\n', '\r\n', '\u00A0', '\u2028', '\u2800', ',', ', ', '，', '、', '،', '､'],
		...[
			';',
			'; ',
			'；',
			'|',
			' | ',
			'｜',
			'&',
			' & ',
			' / ',
			' - ',
			'", "',
			'\\n',
			'\\r\\n',
			'\\t',
		],
		...[
			'<br>',
			'<br />',
			'<BR/>',
			'</p><p>',
			'</td><td class="b">',
			'&nbsp;',
			'\n- ',
			'\n2. ',
			'•',
			'',
		],
		'\u200B',
	];
	test.each(separators)('with %j between', (by) => {
		for (const end of ['', '/', '?trk=x', '/?trk=x&a=b'])
			expect(read(`${anna}${end}${by}${bob}${end}`)).toEqual(both);
	});

	test('without a scheme, too, unless nothing is between', () => {
		for (const by of separators.filter((text) => !['', '•', '&', '\u200B'].includes(text)))
			expect(read(`linkedin.com/in/anna-bell/${by}www.linkedin.com/in/bob-cole`)).toEqual(both);
		for (const by of ['', '•', '&', '\u200B', '/']) {
			const { names } = read(`linkedin.com/in/anna-bell${by}www.linkedin.com/in/bob-cole`);
			expect(names).toEqual([]);
		}
	});
});

test.each([
	...['https://www.linkedin.com/in/', 'https://www.linkedin.com/', 'linkedin.com/in/', 'https://'],
	...['https://www.linkedin.com/in//', 'https://www.linkedin.com/in/https://de.linkedin.com/in/'],
])('the prefix %s once too often names nobody', (prefix) => {
	const spellings = [anna, `${anna}/`, 'www.linkedin.com/in/anna-bell'];
	for (const url of spellings) expect(read(`${prefix}${url}, ${prefix}${bob}`)).toEqual(both);
	if (/in\/+$/.test(prefix)) expect(read(`${prefix}in/anna-bell`)).toEqual(one);
	expect(read(`${prefix}${encodeURIComponent(anna)}`).names).toEqual(
		/in\/+$/.test(prefix) ? ['anna-bell'] : [],
	);
	const company = `${prefix}https://in.linkedin.com/company/acme`;
	expect(read(company)).toEqual({ names: [], refused: [[company, 'company']] });
});

test('what nobody sees makes no difference, wherever it stands', () => {
	const unseen = Array.from(
		'\u200B\u200C\u200D\u200E\u200F\u2060\u00AD\uFEFF\u202A\u034F\u180E\uFE0F\u{E0041}',
	);
	for (const it of unseen) {
		const encoded = encodeURIComponent(it);
		for (const url of [`${it}${anna}`, `${anna}${it}`, `${anna}${encoded}/`, `${anna}/${it}`])
			expect(read(url)).toEqual(one);
		expect(read(`${at('in/')}${encoded}an${it}na-bell`)).toEqual(one);
	}
	expect(read(at('in/anna\u2011bell'))).toEqual(one);
});

test('punctuation after a name goes', () => {
	const ends = [
		'>',
		'.',
		')',
		'"',
		"'",
		':',
		'…',
		',',
		';',
		'!',
		'`',
		'**',
		'...',
		').',
		'"]',
		'\\"',
		'。',
		'»',
		'”',
	];
	for (const end of [...ends, '%20', '%22', '%3E', '%C2%A0', '/>', '/)'])
		expect(read(`${anna}${end}`)).toEqual(one);
	// Some names end so.
	expect(read(at('in/anna-')).names).toEqual(['anna-']);
});

test.each([
	...[`<${anna}>`, `<${anna}|Anna>`, `<${anna}|Anna Bell>`, `<${anna}|linkedin.com/in/anna-bell>`],
	...[
		`[Anna](${anna})`,
		`[Anna Bell](${anna} "Anna")`,
		`[@${anna.replaceAll('/', '\\/')}](${anna})`,
	],
	...[
		`=HYPERLINK("${anna}","Anna")`,
		`=HYPERLINK("${anna}"; "Anna Bell")`,
		`=HYPERLINK("${anna}")`,
	],
	...[
		`=LIEN_HYPERTEXTE("${anna}";"Anna (CEO)")`,
		`<a href="${anna}" target="_blank">Anna Bell</a>`,
	],
	...[
		`<a class='x' href='${anna}/'>${anna}</a>`,
		`"${anna}"`,
		`'${anna}'`,
		`“${anna}”`,
		`(${anna})`,
	],
	...[`LinkedIn: ${anna}`, `LinkedIn profile: ${anna}`, `LinkedIn：${anna}`, `Anna Bell - ${anna}`],
	...[`LinkedIn: [Anna Bell](${anna})`, `url=${anna}`, `1. ${anna}`, `- ${anna}`, `**${anna}**`],
	...[`{"url": "${anna}"}`, `["${anna}"]`, `['${anna}']`, `\\"${anna}\\"`, `<p>${anna}</p>`],
	`https://www.linkedin.com/authwall?trk=x&sessionRedirect=${encodeURIComponent(anna)}`,
	`https://eur03.safelinks.protection.outlook.com/?url=${encodeURIComponent(anna)}&data=04%7C01`,
	`https://www.google.com/url?q=${anna}&sa=U`,
])('the one profile in %s is taken, alone and among others', (text) => {
	expect(read(text)).toEqual(one);
	expect(read(`${text}\n${bob}`)).toEqual(both);
	expect(read([text, bob])).toEqual(both);
});

test.each([
	...[`[${anna}](${bob})`, `<${anna}|linkedin.com/in/bob-cole>`, `=HYPERLINK("${anna}","${bob}")`],
	`https://www.google.com/url?q=${anna}&r=${bob}`,
])('%s is refused as a whole: it names two', (text) => {
	expect(read(text)).toEqual({ names: [], refused: [[text, 'several']] });
});

test.each([
	['https://www.linkedin.com/sales/lead/ACwAAABcD,NAME_SEARCH,xYz?_ntb=a%3D%3D', 'salesNavigator'],
	['linkedin.com/sales/people/ACwAAABcD,NAME_SEARCH,xYz', 'salesNavigator'],
	['https://www.linkedin.com/talent/profile/AEMAAABcD?project=1,2', 'recruiter'],
	['https://www.linkedin.com/recruiter/profile/123,aBc,CAP', 'recruiter'],
	['https://www.linkedin.com/company/acme/about/', 'company'],
	['https://lnkd.in/eXyZ12', 'shortLink'],
	['https://www.linkedin.com/posts/anna-bell_topic-activity-7', 'page'],
	['https://www.linkedin.com/pub/anna-bell/1/2/3', 'page'],
	['https://www.linkedin.com/in/undefined', 'field'],
	['https://www.linkedin.com/in/', 'field'],
	['[object Object]', 'field'],
	['undefined', 'field'],
	[at('in/jos%E9'), 'name'],
	['anna-bell', 'none'],
])('%s is one entry, refused for what it is', (entry, reason) => {
	for (const by of [', ', ',', '\n', ' '])
		expect(read(`${anna}${by}${entry}${by}${bob}`)).toEqual({
			...both,
			refused: [[entry, reason]],
		});
});

test('a name that goes on after a bar or a comma is taken for no other', () => {
	expect(read(at('in/an|na'))).toEqual({ names: [], refused: [[at('in/an|na'), 'name']] });
	expect(read(`${anna}|Anna`).names).toEqual([]);
	expect(read(`${anna} bob-cole`).refused).toEqual([['bob-cole', 'none']]);
	expect(read(`${anna}/|bob-cole`).refused).toEqual([['bob-cole', 'none']]);
});

test('an array is read entry by entry: nothing counts as none, and what is not there is refused', () => {
	expect(read([anna, [bob], null, '', ' '])).toEqual(both);
	expect(read([anna, undefined])).toEqual({ ...one, refused: [[undefined, 'field']] });
	expect(read([anna, 7, { a: 1 }]).refused).toEqual([
		[7, 'none'],
		[{ a: 1 }, 'none'],
	]);
});
