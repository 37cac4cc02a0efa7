/**
 * Moves the clock of n8n, for tests of what happens hours or days later. The file that CLOCK_FILE names contains the
 * offset in milliseconds. Timers keep their real durations.
 */
const { readFileSync } = require('node:fs');
const process = require('node:process');

const RealDate = Date;
const realNow = Date.now;

let offset = 0;
let isReading = false;

function now() {
	// Reading a file asks for the time as well.
	if (!isReading) {
		isReading = true;
		offset = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
		isReading = false;
	}
	return realNow() + offset;
}

globalThis.Date = new Proxy(RealDate, {
	construct: (target, args, newTarget) =>
		Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
	apply: () => new RealDate(now()).toString(),
	get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
