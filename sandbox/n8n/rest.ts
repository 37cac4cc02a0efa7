/** An answer of n8n's API that isn't a success. */
export class RestError extends Error {
	constructor(
		readonly status: number,
		readonly request: string,
		readonly answer: string,
	) {
		super(`${request} answered ${status}: ${answer.slice(0, 500)}`);
		this.name = 'RestError';
	}
}

/** n8n's own API, the one the editor uses, with the cookie of whoever has logged in. */
export class Rest {
	private cookie = '';

	constructor(readonly url: string) {}

	/** GET below `/rest`; resolves with the answer's `data`. */
	get(path: string): Promise<unknown> {
		return this.call('GET', path);
	}

	/** POST below `/rest`; resolves with the answer's `data`. */
	post(path: string, body: unknown = {}): Promise<unknown> {
		return this.call('POST', path, body);
	}

	/** PATCH below `/rest`; resolves with the answer's `data`. */
	patch(path: string, body: unknown): Promise<unknown> {
		return this.call('PATCH', path, body);
	}

	/** GET of a file that the editor loads, such as `/types/nodes.json`. */
	file(path: string): Promise<unknown> {
		return this.send('GET', path);
	}

	private async call(method: string, path: string, body?: unknown): Promise<unknown> {
		const answer = (await this.send(method, `/rest${path}`, body)) as { data?: unknown };
		return answer.data;
	}

	private async send(method: string, path: string, body?: unknown): Promise<unknown> {
		const response = await fetch(this.url + path, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.cookie },
			body: body === undefined ? null : JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		const text = await response.text();
		if (!response.ok) throw new RestError(response.status, `${method} ${path}`, text);
		this.keepCookie(response.headers.getSetCookie());
		return JSON.parse(text) as unknown;
	}

	private keepCookie(cookies: readonly string[]): void {
		const login = cookies.find((cookie) => cookie.startsWith('n8n-auth='));
		if (login !== undefined) this.cookie = login.split(';', 1)[0] ?? '';
	}
}
