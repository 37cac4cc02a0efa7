/** Ends the process if Node is too old. This file also loads in versions in which the other files don't. */
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
