/** Texts as people paste them and tools hand them over: whom they name, and what of them is refused. */
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { linkedinUrls } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrls';

const at = (path: string) => `https://www.linkedin.com/${path}`;
const [anna, bob] = [at('in/anna-bell'), at('in/bob-cole')];

/** Whom a value names, by the end of the URL, and what of it is refused. */
function read(value: unknown) {
	const { urls, invalid } = linkedinUrls.read(
		value,
		itemValues({}, () => undefined),
	);
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
		',',
		';',
		'!',
		'`',
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
	['anna@acme.com', 'none'],
])('%s is one entry, refused for what it is', (entry, reason) => {
	for (const by of [', ', ',', '\n', ' '])
		expect(read(`${anna}${by}${entry}${by}${bob}`)).toEqual({
			...both,
			refused: [[entry, reason]],
		});
});

test('a name that goes on after a bar, a comma or a blank is taken for no other', () => {
	for (const by of ['|', ',', ';', '、', '\\n', ' ', '  ', '&nbsp;']) {
		const text = at(`in/an${by}na`);
		expect(read(text)).toEqual({ names: [], refused: [[text, 'name']] });
		expect(read(`${anna} ${text} ${bob}`)).toEqual({ ...both, refused: [[text, 'name']] });
	}
	expect(read(`${anna} Bob Cole, CEO`).names).toEqual([]);
});

test('words apart from an address are refused by themselves, a piece at a time', () => {
	for (const by of [', ', '\n', '\t', '/ ', '/|', '?trk=x ', '" ', ') '])
		expect(read(`${anna}${by}Bob Cole`)).toEqual({ ...one, refused: [['Bob Cole', 'none']] });
	expect(read(`Bob Cole ${anna}`)).toEqual({ ...one, refused: [['Bob Cole', 'none']] });
	expect(read(`${anna}, bob-cole, N/A; ${bob}`)).toEqual({
		...both,
		refused: [
			['bob-cole', 'none'],
			['N/A', 'none'],
		],
	});
});

test.each([
	...['…', '...', '..', '....', '***', '*****', '*', '**', '•••', '~~~', '…"', '...)', '⋯'],
	...['%2A%2A%2A', '%E2%80%A6', '%2E%2E%2E', '***/', '###', '???', '!!!', '$$$', '●●●', '▒▒'],
	...['***?trk=x', '…/details', ' …', ' ...', ' ***', '...ll', '***ll', '…ll', '…, '],
])('what is left of a name before %j is nobody', (mark) => {
	for (const start of [
		at('in/anna-be'),
		'linkedin.com/in/an',
		'https://de.linkedin.com/in/anna-',
	]) {
		const { names, refused } = read(`${bob}\n${start}${mark}\n${anna}`);
		expect(names).toEqual(['bob-cole', 'anna-bell']);
		expect(refused.map(([, reason]) => reason)).toEqual(['cut']);
		expect(read(`[Anna](${start}${mark})`).names).toEqual([]);
		expect(read(`<${start}${mark}>`).names).toEqual([]);
	}
});

test('a full stop, and what emphasises an address, are no marks of a cut', () => {
	const texts = [`${anna}.`, `See: ${anna}.)`, `**${anna}**`, `*${anna}*.`, `~~${anna}~~`];
	const labelled = [`**LinkedIn: ${anna}**`, `- **LinkedIn:** ${anna}`, `* ${anna}`, `${anna}?!`];
	for (const text of [...texts, ...labelled, `1. Anna Bell (${anna})`])
		expect(read(text)).toEqual(one);
	for (const text of ['**LinkedIn:** linkedin.com/in/an**', '* linkedin.com/in/an*'])
		expect(read(text).names).toEqual([]);
});

test.each([
	...['<U>', '<U|Bob>', '[Bob](U)', '[Bob](U "Bob")', '=HYPERLINK("U","Bob")', '(<U>)'],
	...['=HYPERLINK("U"; "Bob")', '<a href="U">Bob</a>', "<a class='x' href='U' rel=a>Bob</a>"],
])('a name that is broken in %s is taken for no other', (wrapper) => {
	for (const by of [' ', '\n', '\r\n', '\t', ',', ', ', ';', '; ', ' \n  '])
		for (const name of [`bob${by}cole`, `bob-${by}cole`]) {
			const text = wrapper.replace('U', () => at(`in/${name}`));
			const { names, refused } = read(`${anna}\n${text}`);
			expect(names).toEqual(['anna-bell']);
			expect(refused.map(([, reason]) => reason)).toEqual(['name']);
		}
});

test('what joins letters in Persian and Indic names stays between them, and goes at the ends', () => {
	for (const it of ['\u200C', '\u200D']) {
		const encoded = encodeURIComponent(it);
		for (const [start, end] of [
			['می', 'خواهم'],
			['क्', 'षमा'],
		] as const) {
			const name = encodeURIComponent(start) + encoded + encodeURIComponent(end);
			const spellings = [`${start}${it}${end}`, `${it}${start}${it}${end}${it}`, name];
			for (const spelling of [...spellings, encoded + name + encoded])
				expect(read(at(`in/${spelling}`))).toEqual({ names: [name], refused: [] });
			const joined = encodeURIComponent(start + end);
			expect(read(at(`in/${start}${end}`))).toEqual({ names: [joined], refused: [] });
		}
	}
});

test('a value that holds nothing is visible as one', () => {
	for (const value of ['', ' , ,, ', null, [], [null, '']]) {
		expect(read(value)).toEqual({ names: [], refused: [[value, 'blank']] });
	}
});

test('arrays in arrays are read, and ones without an end are refused', () => {
	expect(read([[[[anna]]], bob])).toEqual(both);
	const endless: unknown[] = [];
	endless.push(endless);
	expect(read(endless).refused).toHaveLength(1);
	const deep = 100_000;
	expect(read(`${'['.repeat(deep)}"${anna}"${']'.repeat(deep)}`).names).toEqual([]);
});

test('an array is read entry by entry: nothing counts as none, and what is not there is refused', () => {
	expect(read([anna, [bob], null, '', ' '])).toEqual(both);
	expect(read([anna, undefined])).toEqual({ ...one, refused: [[undefined, 'field']] });
	expect(read([anna, 7, { a: 1 }]).refused).toEqual([
		[7, 'none'],
		[{ a: 1 }, 'none'],
	]);
});
