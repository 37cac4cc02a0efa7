/** Ends waits at once. */
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(() => Promise.resolve()),
}));
