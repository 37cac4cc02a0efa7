/** A page that shows the credits of all accounts and changes them: a user of `npm start` can run out of credits and go on. */
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../html';
import type { Account, AccountStore } from './accounts';

export const TOP_UP_PATH = '/top-up';

const ADDED_CREDITS = 1_000;
const FEW_CREDITS = 10;

/** Actions of the page, and the new balance of each. */
const actions = new Map<string, (credits: number) => number>([
	['add', (credits) => credits + ADDED_CREDITS],
	['leaveFew', (credits) => Math.min(credits, FEW_CREDITS)],
]);

/** Adds the page to a server. Its requests aren't logged, because they are no part of the contract. */
export function addTopUpPage(server: FastifyInstance, accounts: AccountStore): void {
	// The plugin has its own body parser: the service itself doesn't accept forms.
	void server.register((scope, _options, ready) => {
		scope.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => {
				done(null, new URLSearchParams(String(body)));
			},
		);
		scope.get(TOP_UP_PATH, (_request, reply) =>
			reply.type('text/html; charset=utf-8').send(pageOf(accounts.all())),
		);
		scope.post<{ Body?: URLSearchParams }>(TOP_UP_PATH, async ({ body }, reply) => {
			const account = accounts.find(body?.get('account') ?? '');
			const change = actions.get(body?.get('action') ?? '');
			if (account === undefined || change === undefined) return reply.code(400).send();
			account.apiCredits = change(account.apiCredits);
			account.subscriptionCredits = change(account.subscriptionCredits);
			return reply.redirect(TOP_UP_PATH, 303);
		});
		ready();
	});
}

function pageOf(accounts: readonly Account[]): string {
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Made-up credits</title>
<style>
	body { font-family: sans-serif; margin: 2em }
	table { border-collapse: collapse }
	td, th { border: 1px solid #bbb; padding: 6px 12px; text-align: left }
</style>
<h1>Made-up credits</h1>
<table>
<tr><th>API key</th><th>API credits</th><th>Session token</th><th>Subscription credits</th><th>Change both</th></tr>
${accounts.map(rowOf).join('\n')}
</table>
</html>
`;
}

function rowOf({ id, apiKey, apiCredits, sessionToken, subscriptionCredits }: Account): string {
	const cells = [apiKey, format(apiCredits), sessionToken, format(subscriptionCredits)];
	const button = (action: string, label: string) =>
		`<button name="action" value="${action}">${label}</button>`;
	const form = `<form method="post" action="${TOP_UP_PATH}">
<input type="hidden" name="account" value="${escapeHtml(id)}">
${button('add', `Add ${format(ADDED_CREDITS)} credits`)} ${button('leaveFew', `Leave ${FEW_CREDITS} credits`)}
</form>`;
	const columns = cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('');
	return `<tr>${columns}<td>${form}</td></tr>`;
}

function format(credits: number): string {
	return credits.toLocaleString('en');
}
