/** The options of `npm start`. They are read before anything is installed, so this file uses only Node's own modules. */
import { parseArgs } from 'node:util';

export const usage = `npm start -- [--once] [--crms] [--port <number>]
  --once           end after the search, with exit code 0 only if it returned leads
  --crms           also start mocks of HubSpot, Google Sheets and Pipedrive, with credentials for them
  --port <number>  port of the editor (default 5678; if it isn't free, another one is used)
  --help           print this text`;

/** @throws TypeError with `isForUser` and the usage in its message */
export function readOptions(args) {
	const flag = { type: 'boolean', default: false };
	const port = { type: 'string', default: '5678' };
	const options = { once: flag, crms: flag, help: { ...flag, short: 'h' }, port };
	try {
		const { values } = parseArgs({ args, options });
		if (!/^[1-9]\d{0,4}$/.test(values.port) || Number(values.port) > 65535)
			throw new TypeError(`--port takes a number from 1 to 65535, not "${values.port}"`);
		return { ...values, port: Number(values.port) };
	} catch (error) {
		throw Object.assign(new TypeError(`${error.message}\n\n${usage}`), { isForUser: true });
	}
}
