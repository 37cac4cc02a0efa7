import { addAll, addNode } from './adding';

test('Look Up asks for a credential and LinkedIn URLs, and offers which details to return', async () => {
	const panel = await addNode('Buy profiles by LinkedIn URL (1 credit each)');
	await panel.credential.waitFor();
	expect(await panel.labels()).toEqual([
		'Credential',
		'Resource',
		'Operation',
		'LinkedIn URLs',
		'Return All',
		'Simplify',
		'Options',
	]);
	expect(await panel.value('Resource')).toBe('LinkedIn Profile');
	expect(await panel.value('Operation')).toBe('Look Up (Paid)');
	expect(await panel.value('Return All')).toBe(true);
	expect(await panel.value('Simplify')).toBe(true);

	expect(await panel.offers('Options')).toEqual([
		'Already Looked Up',
		'Include Input Fields',
		'Include Personal Emails',
		'Include Phones',
		'Include Work Emails',
		'Max Credits per Execution',
		'Max Retries',
		'Only With Emails',
		'Page Size',
		'Parallel Pages',
		'Reuse Paid Results (Minutes)',
		'Timeout (Seconds)',
		'Unmatched URLs',
	]);
	await addAll(panel, 'Options');
	expect(await panel.value('Include Personal Emails')).toBe(true);
	expect(await panel.value('Include Phones')).toBe(false);
	expect(await panel.value('Include Work Emails')).toBe(true);
	expect(await panel.value('Only With Emails')).toBe(true);
	expect(await panel.value('Unmatched URLs')).toBe('Leave Out');
	expect(await panel.choices('Unmatched URLs')).toEqual([
		'Leave Out',
		'Return as Not Found',
		'Send to Second Output',
	]);
	expect(await panel.value('Page Size')).toBe('1000');
});

test('Check URLs has LinkedIn URLs, and asks for no credential', async () => {
	const panel = await addNode('Check LinkedIn URLs');
	await panel.credential.waitFor({ state: 'hidden' });
	expect(await panel.labels()).toEqual(['Resource', 'Operation', 'LinkedIn URLs']);
	expect(await panel.value('Resource')).toBe('LinkedIn Profile');
	expect(await panel.value('Operation')).toBe('Check URLs');
});
