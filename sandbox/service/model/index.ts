export * from './model';
export type { List } from './page';
export { contract, type Deviation, type Readings } from './readings';
export type { Row } from './rows';
