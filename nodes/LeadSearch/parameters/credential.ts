/** Checks the credential before anything is sent with it. */
import { isSessionToken, type LeadSearchCredential } from '../api/authentication';
import { readBaseUrl } from './baseUrl';
import { InvalidParameterError } from './invalidParameter';
import { asWholeNumber } from './parameter';

/**
 * @returns the address, and Credit Ceiling; Infinity without
 * @throws InvalidParameterError for what can't be used, with the label of its field
 */
export function checkCredential(credential: LeadSearchCredential): {
	baseUrl: string;
	ceiling: number;
} {
	const baseUrl = readBaseUrl(credential.baseUrl);
	if (!/^[\x21-\x7e]+$/.test(credential.secret)) {
		const label = isSessionToken(credential) ? 'Session Token' : 'API Key';
		throw new InvalidParameterError(
			label,
			credential.secret === ''
				? 'is empty'
				: 'holds a space, a line break or a character that no key has',
			`Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	const ceiling = asWholeNumber(credential.creditCeiling, { min: 0 });
	if (ceiling !== undefined) return { baseUrl, ceiling: ceiling === 0 ? Infinity : ceiling };
	throw new InvalidParameterError(
		'Credit Ceiling',
		'is no whole number from 0',
		'Set it to the most credits that one execution may spend, or to 0 for no ceiling. Nothing was sent or charged.',
	);
}
