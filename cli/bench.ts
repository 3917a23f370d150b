/** `npm run bench -- GROUP…`. */
export { main } from "../bench";
