/** `npm run screenshots -- [names]`: takes all images of the documentation, or the named ones, from a real n8n. */
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { workflowNames } from '../n8n/index';
import { projectFolder } from '../paths';
import { startFixture } from './fixture';
import { canvasOf, scenes, type Scene, type Subject } from './scenes';

const pictures: ReadonlyArray<readonly [name: string, file: string, scene: Scene]> = [
	// These are first, because some of the others leave n8n's logs open and the window smaller.
	...workflowNames().map((name) => [name, `workflows/${name}/canvas.png`, canvasOf(name)] as const),
	...Object.entries(scenes).map(
		([name, scene]) => [name, `docs/images/${name}.png`, scene] as const,
	),
];

const MAX_BYTES = 200_000;
/** Pixels between the last element of an image and its end. */
const MARGIN = 12;

async function main(names: readonly string[]): Promise<void> {
	const known = pictures.map(([name]) => name);
	const unknown = names.find((name) => !known.includes(name));
	if (unknown) throw new Error(`There is no image ${unknown}. Images: ${known.join(', ')}`);
	process.stdout.write('Starting n8n, the mock of the lead service, and Chromium\n');
	const fixture = await startFixture(1.5);
	try {
		for (const [name, file, scene] of pictures) {
			if (names.length > 0 && !names.includes(name)) continue;
			// Wide enough for a table next to the parameters.
			await fixture.editor.page.setViewportSize({ width: 1_720, height: 1_300 });
			await takePicture(fixture.editor.page, file, await scene(fixture));
			process.stdout.write(`${file}\n`);
		}
	} finally {
		await fixture.close();
	}
}

/** Takes an image. It shows a realistic address instead of the mock's. */
async function takePicture(
	page: Page,
	file: string,
	{ elements, padding = 0, last, address, style = '' }: Subject,
): Promise<void> {
	// Move the pointer away from elements that react to it.
	await page.mouse.move(0, 0);
	const boxes = await Promise.all(elements.map(boxOf));
	const window = page.viewportSize() ?? { width: Infinity, height: Infinity };
	const x = Math.max(0, Math.min(...boxes.map((box) => box.x)) - padding);
	const y = Math.max(0, Math.min(...boxes.map((box) => box.y)) - padding);
	const ends = boxes.map((box) => box.x + box.width);
	const right = Math.min(window.width, Math.max(...ends) + padding);
	const end = last && (await boxOf(last));
	const bottom = Math.min(
		window.height,
		Math.max(...boxes.map((box) => box.y + box.height)) + padding,
		end === undefined ? Infinity : end.y + end.height + MARGIN,
	);
	await address?.evaluate((input: { value?: string }) => {
		input.value = 'https://leads.example.com';
	});
	const picture = await page.screenshot({
		path: join(projectFolder, file),
		animations: 'disabled',
		caret: 'hide',
		// Hide notifications, which appear in a corner at any time.
		style: `.el-notification { display: none } ${style}`,
		clip: { x, y, width: right - x, height: bottom - y },
	});
	if (picture.length > MAX_BYTES)
		throw new Error(`${file} has ${picture.length} bytes, more than ${MAX_BYTES}`);
}

async function boxOf(element: Locator) {
	const box = await element.boundingBox();
	if (box === null) throw new Error(`Not visible: ${element.toString()}`);
	return box;
}

main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
