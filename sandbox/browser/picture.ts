import { statSync } from 'node:fs';

import type { Locator } from 'playwright-core';

import type { Editor } from './editor';

/** Bytes that a picture may have. */
const maxBytes = 150_000;
const exampleAddress = 'https://leads.example.com';

/** A part of the window, in its pixels. */
interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** What a picture shows. */
export interface Subject {
	/** The picture is as large as it takes to hold these. */
	readonly elements: readonly Locator[];
	/** It ends a little below this one, if that is higher up. */
	readonly last?: Locator;
	/** The input that holds the mock service's address. */
	readonly address?: Locator;
}

const margin = 20;

/**
 * Takes a picture of a part of the window.
 *
 * The mock service's address gives way to one that a reader may have; only in the picture, the editor
 * goes on with what was typed.
 *
 * @throws Error when the file would be too large for the documentation
 */
export async function takePicture(
	editor: Editor,
	file: string,
	{ elements, last, address }: Subject,
): Promise<void> {
	const { page } = editor;
	await editor.closeNotices();
	// Away from everything that shows more under the pointer.
	await page.mouse.move(0, 0);
	const area = await around(elements);
	const end = last === undefined ? Infinity : await bottom(last);
	await address?.evaluate(setValue, exampleAddress);
	await page.screenshot({
		path: file,
		animations: 'disabled',
		caret: 'hide',
		clip: { ...area, height: Math.min(area.height, end + margin - area.y) },
	});
	const { size } = statSync(file);
	if (size > maxBytes) throw new Error(`${file} has ${size} bytes, more than ${maxBytes}`);
}

function setValue(input: { value?: string }, value: string): void {
	input.value = value;
}

async function bottom(element: Locator): Promise<number> {
	const { y, height } = await around([element]);
	return y + height;
}

async function around(elements: readonly Locator[]): Promise<Area> {
	const areas = await Promise.all(
		elements.map(async (element) => {
			const area = await element.boundingBox();
			if (area === null) throw new Error(`Not to be seen: ${element.toString()}`);
			return area;
		}),
	);
	const x = Math.min(...areas.map((area) => area.x));
	const y = Math.min(...areas.map((area) => area.y));
	return {
		x,
		y,
		width: Math.max(...areas.map((area) => area.x + area.width)) - x,
		height: Math.max(...areas.map((area) => area.y + area.height)) - y,
	};
}
