export * from './model';
export type { List } from './page';
export { contract, deviation, readings, type Deviation, type Readings } from './readings';
export type { Row } from './rows';
