/** The least that a node can do: no check, no retry, no limit (loaded by N8N_CUSTOM_EXTENSIONS). */
class PlainLoop {
	description = {
		displayName: 'Plain Loop',
		name: 'plainLoop',
		group: ['input'],
		version: 1,
		description: 'Fetches all pages by the request helper',
		defaults: { name: 'Plain Loop' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'leadSearchApi', required: true }],
		properties: [],
	};

	async execute() {
		const { url, leads, pageSize } = this.getInputData()[0].json.body;
		const fetchPage = this.helpers.httpRequestWithAuthentication;
		const items = [];
		let answer;
		for (let page = 1; answer === undefined || answer.has_more; page++) {
			const paging = { _page: page, _per_page: pageSize, max_results: leads };
			const body = { _include_raw: false, ...paging };
			const request = { method: 'POST', url, json: true, body };
			answer = await fetchPage.call(this, 'leadSearchApi', request);
			for (const json of answer.preview_data) items.push({ json, pairedItem: { item: 0 } });
		}
		return [items];
	}
}

module.exports = { PlainLoop };
