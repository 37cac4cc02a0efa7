/** Replaces n8n's sleep, so that tests don't wait. */
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(() => Promise.resolve()),
}));
