/** Ends when the Node that runs this is too old. Loads in a Node in which the rest doesn't. */
import process from 'node:process';

const oldest = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
	process.stderr.write(
		`This needs Node ${oldest.join('.')} or newer (it is ${process.versions.node}). ` +
			'Nothing was installed.\n',
	);
	process.exit(1);
}
